import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { type Config, SettingError } from '../config/config.ts';
import type { EventStore } from '../store/event-store.ts';
import { mayCall } from '../net/egress.ts';
import { type AlertTarget, EVERY_ALERT } from '../store/outbox/targets.ts';
import { WebhookClient } from '../webhook/webhook-client.ts';
import { WebhookSender, type WebhookSenderOptions } from '../webhook/webhook-sender.ts';

/** Checks the webhook's URL at start. @throws SettingError for an address that egress.ts would refuse each time. */
export function checkWebhook({ webhookUrl, webhookAllowPrivate }: Config): void {
  if (webhookUrl === null) return;
  const host = webhookUrl.hostname.replace(/^\[|\]$/g, '');
  const isRefused = isIP(host) !== 0 && !mayCall(host, webhookAllowPrivate);
  if (isRefused || (webhookUrl.protocol !== 'https:' && !webhookAllowPrivate)) {
    throw new SettingError(
      'ERRATA_WEBHOOK_URL',
      'expected https and a public address. ERRATA_WEBHOOK_ALLOW_PRIVATE=on allows http and private addresses.',
    );
  }
}

/** As many messages as a person reads, and far below the limits of chat services for one webhook (Slack: one a second). */
const MAX_PER_MINUTE = 20;
/** Tells apart the few targets of a deployment, and is no way back to an address. */
const ID_LENGTH = 16;

/** Returns the targets of alerts: the webhook, or none. */
export function alertTargets({ webhookUrl }: Config): readonly AlertTarget[] {
  if (webhookUrl === null) return [];
  const id = createHash('sha256').update(webhookUrl.href).digest('hex').slice(0, ID_LENGTH);
  return [{ id, filter: EVERY_ALERT, max: MAX_PER_MINUTE, perMs: 60_000 }];
}

/** Creates the webhook sender; null without ERRATA_WEBHOOK_URL. */
export function openWebhook(
  config: Config,
  store: EventStore,
  release: string,
  options: Omit<WebhookSenderOptions, 'target'>,
): WebhookSender | null {
  const { webhookUrl: url, webhookSecret: secret, webhookAllowPrivate: allowsPrivate } = config;
  const [alertTarget] = alertTargets(config);
  if (url === null || alertTarget === undefined) return null;
  const target = { url, secret, allowsPrivate, proxy: config };
  const client = new WebhookClient({ ...target, userAgent: `errata/${release}` });
  return new WebhookSender(store, client, { ...options, target: alertTarget.id });
}
