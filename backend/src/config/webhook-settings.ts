import { z } from 'zod';
import { secret, setting } from './setting.ts';
import { httpUrl, onOff, origin } from './value-types.ts';

/** Whom Errata tells of new issues, and under which address people find them; see settings.ts. */
export const WEBHOOK_SETTINGS = {
  publicUrl: setting(
    'ERRATA_PUBLIC_URL',
    origin,
    null,
    'Origin under which people reach the console, such as https://errata.example; links that leave the house begin with it.',
  ),
  webhookUrl: secret(
    'ERRATA_WEBHOOK_URL',
    httpUrl,
    'Receiver that is told of new issues and regressions, see docs/webhook.md. Without it nobody is.',
  ),
  webhookSecret: secret(
    'ERRATA_WEBHOOK_SECRET',
    z.string().min(16, 'expected at least 16 characters: it proves that a call is from here'),
    'Key by which calls of the webhook are signed. Without it they are not.',
  ),
  webhookAllowPrivate: setting(
    'ERRATA_WEBHOOK_ALLOW_PRIVATE',
    onOff,
    'off',
    "Whether the webhook may be called over http and at private addresses. Off, a name that turns to an address of your own network is refused; a cloud's metadata service is in any case.",
  ),
} as const;
