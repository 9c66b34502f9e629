import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { AlertService } from '../contract/alert-filter.ts';
import {
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '../contract/webhook-api.ts';
import { EgressRefused, guardedLookup, mayReach, type Resolve } from '../net/egress.ts';
import { dispatcherTo, type EgressProxy } from '../net/outgoing.ts';

export interface AlertAddress {
  readonly url: URL;
  readonly service: AlertService;
  /** Key of the signature; without it requests are unsigned. */
  readonly secret: Uint8Array | null;
  readonly allowsPrivate: boolean;
  /** Errata and its version. */
  readonly userAgent: string;
  readonly proxy: EgressProxy;
}

/** Result of a delivery; `reason` is a code for the log: `status_500`, `timeout`, `ECONNREFUSED`, `EgressRefused`. */
export type AlertOutcome =
  { readonly isAccepted: true } | { readonly isAccepted: false; readonly reason: string };

/** A receiver should only store the delivery and work on it later: a slower one delays the deliveries behind it. */
const TIMEOUT_MS = 10_000;
/** Status of a service that has taken a message; of others any 2xx. A login page answers 200, too. */
const ACCEPTED: Readonly<Partial<Record<AlertService, number>>> = {
  slack: 200,
  teams: 202,
  discord: 204,
  mattermost: 200,
  google: 200,
};
/** Bytes of a response that are read, to reuse its connection. */
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Deliveries at once. More would wait here for a connection, while their timeout runs. */
export const CONNECTIONS = 4;

/**
 * Sends deliveries: signed, with a timeout, and only to addresses that egress.ts allows. It must not follow redirects,
 * whose addresses are unchecked, and it reads only the status of a response.
 */
export class AlertClient {
  readonly #target: AlertAddress;
  readonly #dispatcher: Dispatcher;
  readonly #closing = new AbortController();

  constructor(target: AlertAddress, resolve?: Resolve) {
    this.#target = target;
    const connect = { lookup: guardedLookup(target.allowsPrivate, resolve), timeout: TIMEOUT_MS };
    this.#dispatcher = dispatcherTo(target.url.origin, { connections: CONNECTIONS, connect }, target.proxy);
  }

  /** Sends one delivery. @param body JSON, sent unchanged. */
  async send(id: string, body: string, nowMs: number): Promise<AlertOutcome> {
    const { url, service, secret, allowsPrivate, userAgent } = this.#target;
    const seconds = Math.floor(nowMs / 1_000);
    try {
      if (!mayReach(url, allowsPrivate)) throw new EgressRefused(url.hostname);
      const { statusCode, body: response } = await this.#dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...(service === 'json' && { [WEBHOOK_ID_HEADER]: id, [WEBHOOK_TIMESTAMP_HEADER]: String(seconds) }),
          ...(secret !== null && {
            [WEBHOOK_SIGNATURE_HEADER]: signatureOf(`${id}.${seconds}.${body}`, secret),
          }),
          ...authorizationOf(url),
        },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closing.signal]),
      });
      await response.dump({ limit: MAX_RESPONSE_BYTES }).catch(() => undefined);
      const expected = ACCEPTED[service];
      const isAccepted =
        expected === undefined ? statusCode >= 200 && statusCode < 300 : statusCode === expected;
      return isAccepted ? { isAccepted } : { isAccepted, reason: `status_${statusCode}` };
    } catch (error) {
      return { isAccepted: false, reason: reasonOf(error) };
    }
  }

  /** Aborts deliveries in flight. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#dispatcher.destroy();
  }
}

/**
 * Returns the signature of Standard Webhooks: HMAC-SHA256 of id, time and body. The time is signed too, so that an attacker
 * cannot send a recorded delivery again later: receivers reject old ones.
 */
function signatureOf(signed: string, key: Uint8Array): string {
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function reasonOf(error: unknown): string {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  return [code, name].find((text) => typeof text === 'string') ?? 'unknown';
}
