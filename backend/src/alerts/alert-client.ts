import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { AlertService } from '../contract/alert-filter.ts';
import {
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '../contract/webhook-api.ts';
import { parseRateLimits } from '../envelope/rate-limits.ts';
import { EgressRefused, guardedLookup, mayReach, type Resolve } from '../net/egress.ts';
import { dispatcherTo, type EgressProxy } from '../net/outgoing.ts';
import { HOUR_MS } from '../time/iso.ts';
import { type AlertMessage, type AlertOutcome, type AlertTransport, TIMEOUT_MS } from './alert-channel.ts';
import { bodyFor, printable } from './alert-message.ts';

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

/** Status of a service that has taken a message; of others any 2xx. A login page answers 200, too. */
const ACCEPTED: Readonly<Partial<Record<AlertService, number>>> = {
  slack: 200,
  teams: 202,
  discord: 204,
  mattermost: 200,
  google: 200,
};
/** Longest `Retry-After` that is obeyed. */
const MAX_RETRY_AFTER_MS = HOUR_MS;
const MAX_DETAIL_LENGTH = 200;
const UNREADABLE = /[\s\p{Cc}\p{Cf}]+/gu;
/** A shorter part of an address is a word, such as `hooks`. */
const MIN_SECRET = 8;
/** Bytes of a response that are read, to reuse its connection. */
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Deliveries at once. More would wait here for a connection, while their timeout runs. */
export const CONNECTIONS = 4;

/**
 * Sends deliveries: signed, with a timeout, and only to addresses that egress.ts allows. It must not follow redirects,
 * whose addresses are unchecked.
 */
export class AlertClient implements AlertTransport {
  readonly #target: AlertAddress;
  readonly #dispatcher: Dispatcher;
  readonly #closing = new AbortController();

  constructor(target: AlertAddress, resolve?: Resolve) {
    this.#target = target;
    const connect = { lookup: guardedLookup(target.allowsPrivate, resolve), timeout: TIMEOUT_MS };
    this.#dispatcher = dispatcherTo(target.url.origin, { connections: CONNECTIONS, connect }, target.proxy);
  }

  /** Sends one message. */
  async send(
    { deliveryId: id, body }: AlertMessage,
    nowMs: number,
    timeoutMs = TIMEOUT_MS,
  ): Promise<AlertOutcome> {
    const { url, service, secret, allowsPrivate, userAgent } = this.#target;
    const text = bodyFor(service, body);
    const seconds = Math.floor(nowMs / 1_000);
    try {
      if (!mayReach(url, allowsPrivate)) throw new EgressRefused(url.hostname);
      const response = await this.#dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...(service === 'json' && { [WEBHOOK_ID_HEADER]: id, [WEBHOOK_TIMESTAMP_HEADER]: String(seconds) }),
          ...(secret !== null && {
            [WEBHOOK_SIGNATURE_HEADER]: signatureOf(`${id}.${seconds}.${text}`, secret),
          }),
          ...authorizationOf(url),
        },
        body: text,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]),
      });
      const detail = detailOf(await beginningOf(response.body), url, secret);
      const { statusCode, headers } = response;
      const expected = ACCEPTED[service];
      const isAccepted =
        expected === undefined ? statusCode >= 200 && statusCode < 300 : statusCode === expected;
      if (isAccepted) return { isAccepted, detail };
      const retryAfterMs = retryAfterOf(statusCode, headers['retry-after'], nowMs);
      return { isAccepted, reason: `status_${statusCode}`, detail, retryAfterMs };
    } catch (error) {
      return { isAccepted: false, reason: reasonOf(error), detail: null, retryAfterMs: null };
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
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Returns the text behind percent signs; the text itself where they are none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the beginning of a response; the rest behind a broken connection is missing. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status decides.
  }
  return Buffer.concat(chunks).toString();
}

/** Returns what a person may read of a response. Many servers quote the path, which is the secret of an address. */
function detailOf(text: string, url: URL, key: Uint8Array | null): string | null {
  const { username, password, pathname, search, searchParams } = url;
  const words = [...pathname.split('/'), ...searchParams.values(), username];
  const long = [pathname + search, pathname, search, ...words].filter(({ length }) => length >= MIN_SECRET);
  const signing = key === null ? '' : Buffer.from(key).toString('base64');
  const secrets = [...long, signing, ...Object.values(authorizationOf(url)), password || username]
    .flatMap((secret) => [secret, decoded(secret)])
    .filter((secret) => secret !== '')
    .toSorted((one, other) => other.length - one.length);
  const safe = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[Filtered]'), text);
  return printable(safe.replace(UNREADABLE, ' '), MAX_DETAIL_LENGTH) || null;
}

/** Returns the `Retry-After` of a status that has one. */
function retryAfterOf(status: number, header: string | string[] | undefined, nowMs: number): number | null {
  if (status !== 429 && status !== 503) return null;
  const [limit] = parseRateLimits(503, { 'retry-after': header }, nowMs);
  return limit === undefined ? null : Math.min(limit.untilMs - nowMs, MAX_RETRY_AFTER_MS);
}

function reasonOf(error: unknown): string {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  return [code, name].find((text) => typeof text === 'string') ?? 'unknown';
}
