import { isIP } from 'node:net';
import { Agent } from 'undici';
import { WEBHOOK_ID_HEADER, WEBHOOK_SIGNATURE_HEADER } from '../contract/webhook-api.ts';
import { EgressRefused, guardedLookup, mayCall, type Resolve } from '../net/egress.ts';
import { signatureOf } from './signature.ts';

export interface WebhookTarget {
  readonly url: URL;
  /** Key of the signature; without it calls are not signed. */
  readonly secret: string | null;
  readonly allowsPrivate: boolean;
  /** Errata and its version. */
  readonly userAgent: string;
}

/** How a call went; `reason` is a code for the log: `status_500`, `timeout`, `ECONNREFUSED`, `EgressRefused`. */
export type CallOutcome = { readonly isTaken: true } | { readonly isTaken: false; readonly reason: string };

/** Receivers that do more than take note of a call do it later: longer ones hold up those that wait. */
const TIMEOUT_MS = 10_000;
/** What of an answer is read, to free its connection. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Calls at once. More would wait in here, and for no longer than the time limit of the receiver. */
export const CONNECTIONS = 4;

/**
 * Makes calls: signed, with a time limit, to checked addresses only (egress.ts). Redirects are not followed, as what they
 * name is not checked, and nothing of the answer but its status is looked at.
 */
export class WebhookClient {
  readonly #target: WebhookTarget;
  readonly #agent: Agent;
  readonly #closing = new AbortController();

  constructor(target: WebhookTarget, resolve?: Resolve) {
    this.#target = target;
    this.#agent = new Agent({
      connections: CONNECTIONS,
      connect: { lookup: guardedLookup(target.allowsPrivate, resolve), timeout: TIMEOUT_MS },
    });
  }

  /** @param body JSON, sent as it is. */
  async call(id: string, body: string, nowMs: number): Promise<CallOutcome> {
    const { url, secret, userAgent } = this.#target;
    try {
      this.#checkLiteral();
      const { statusCode, body: answer } = await this.#agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          [WEBHOOK_ID_HEADER]: id,
          ...(secret === null ? {} : { [WEBHOOK_SIGNATURE_HEADER]: signatureOf(body, secret, nowMs) }),
          ...authorizationOf(url),
        },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closing.signal]),
      });
      await answer.dump({ limit: MAX_ANSWER_BYTES }).catch(() => undefined);
      const isTaken = statusCode >= 200 && statusCode < 300;
      return isTaken ? { isTaken } : { isTaken, reason: `status_${statusCode}` };
    } catch (error) {
      return { isTaken: false, reason: reasonOf(error) };
    }
  }

  /** Cuts calls under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
  }

  /** Connections to an address that is written out are made without a look-up. */
  #checkLiteral(): void {
    const { url, allowsPrivate } = this.#target;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !mayCall(host, allowsPrivate)) throw new EgressRefused(host);
  }
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
