import { isIP } from 'node:net';
import { type Config, SettingError } from '../config/config.ts';
import type { EventStore } from '../store/event-store.ts';
import { mayCall } from '../net/egress.ts';
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

/** Creates the webhook sender; null without ERRATA_WEBHOOK_URL. */
export function openWebhook(
  config: Config,
  store: EventStore,
  release: string,
  options: WebhookSenderOptions,
): WebhookSender | null {
  const { webhookUrl: url, webhookSecret: secret, webhookAllowPrivate: allowsPrivate } = config;
  if (url === null) return null;
  const target = { url, secret, allowsPrivate, proxy: config };
  return new WebhookSender(store, new WebhookClient({ ...target, userAgent: `errata/${release}` }), options);
}
