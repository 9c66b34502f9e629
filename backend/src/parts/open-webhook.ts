import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import type { EventStore } from '../store/event-store.ts';
import { mayCall } from '../net/egress.ts';
import { WebhookClient } from '../webhook/webhook-client.ts';
import { WebhookSender, type WebhookSenderOptions } from '../webhook/webhook-sender.ts';

/** @throws Error for an address that can never be called: better at the start than in a log nobody reads. */
export function checkWebhook({ webhookUrl, webhookAllowPrivate }: Config): void {
  if (webhookUrl === null) return;
  const host = webhookUrl.hostname.replace(/^\[|\]$/g, '');
  const isRefused = isIP(host) !== 0 && !mayCall(host, webhookAllowPrivate);
  if (isRefused || (webhookUrl.protocol !== 'https:' && !webhookAllowPrivate)) {
    throw new Error(
      'ERRATA_WEBHOOK_URL: expected https and a public address. ERRATA_WEBHOOK_ALLOW_PRIVATE=on allows http and private addresses.',
    );
  }
}

/** The sender of the webhook, where one is set. */
export function openWebhook(
  { webhookUrl, webhookSecret, webhookAllowPrivate }: Config,
  store: EventStore,
  release: string,
  options: WebhookSenderOptions,
): WebhookSender | null {
  if (webhookUrl === null) return null;
  const target = { url: webhookUrl, secret: webhookSecret, allowsPrivate: webhookAllowPrivate };
  return new WebhookSender(store, new WebhookClient({ ...target, userAgent: `errata/${release}` }), options);
}
