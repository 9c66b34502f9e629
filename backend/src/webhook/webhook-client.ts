import { isIP } from 'node:net';
import { Agent } from 'undici';
import { WEBHOOK_ID_HEADER, WEBHOOK_SIGNATURE_HEADER } from '../contract/webhook-api.ts';
import { EgressRefused, guardedLookup, mayCall, type Resolve } from '../net/egress.ts';
import { signatureOf } from './signature.ts';

export interface WebhookTarget {
  readonly url: URL;
  /** Key of the signature; without it requests are not signed. */
  readonly secret: string | null;
  readonly allowsPrivate: boolean;
  /** Errata and its version. */
  readonly userAgent: string;
}

/** Outcome of an attempt; `reason` is a code for the log: `status_500`, `timeout`, `ECONNREFUSED`, `EgressRefused`. */
export type AttemptOutcome =
  { readonly isAccepted: true } | { readonly isAccepted: false; readonly reason: string };

/** Time limit of a request: a slow receiver delays all other deliveries. */
const TIMEOUT_MS = 10_000;
/** Bytes read of a response, to free its connection. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Concurrent requests. More would queue in the agent while their time limits run. */
export const CONNECTIONS = 4;

/**
 * Posts deliveries: signed, with a time limit, to checked addresses only (egress.ts). Does not follow redirects, because
 * their targets are not checked, and reads only the status of the response.
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

  /** Posts a body, JSON, unchanged. */
  async post(id: string, body: string, nowMs: number): Promise<AttemptOutcome> {
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
      const isAccepted = statusCode >= 200 && statusCode < 300;
      return isAccepted ? { isAccepted } : { isAccepted, reason: `status_${statusCode}` };
    } catch (error) {
      return { isAccepted: false, reason: reasonOf(error) };
    }
  }

  /** Cuts the requests under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
  }

  /** Checks a literal address: connecting to it needs no look-up, where names are checked. */
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
