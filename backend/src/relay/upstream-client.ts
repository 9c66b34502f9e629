import { type Dispatcher, Pool } from 'undici';
import type { UpstreamHeaders } from '../envelope/rate-limits.ts';

/** What of an upstream's answer is read, to free its connection; its text is never reflected to anybody. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** How often requests are looked at that take too long: a timer for each cost as much as sending it. */
const SWEEP_MS = 1_000;

export interface UpstreamClientOptions {
  readonly origin: string;
  readonly path: string;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly timeoutMs: number;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: UpstreamHeaders;
}

/** There was no answer, as `cause` says. */
export class Unanswered extends Error {
  /** Whether anything of the request may have been sent. */
  readonly wasSent: boolean;

  constructor(cause: unknown, wasSent: boolean) {
    super('no answer', { cause });
    this.wasSent = wasSent;
  }
}

/** A request as a whole took longer than it may. */
class UpstreamTimeout extends Error {
  override readonly name = 'TimeoutError';
}

interface UnderWay {
  readonly sinceMs: number;
  readonly controller: Dispatcher.DispatchController;
}

/**
 * POSTs to one address over kept connections. Redirects are not followed and nothing is decoded; undici's `dispatch`
 * is used, because its `request` makes a stream for an answer nobody reads, at a quarter of the cost of sending.
 */
export class UpstreamClient {
  readonly #options: UpstreamClientOptions;
  readonly #pool: Pool;
  readonly #underWay = new Set<UnderWay>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: UpstreamClientOptions) {
    this.#options = options;
    this.#pool = new Pool(options.origin, {
      connections: options.connections,
      pipelining: 1,
      connect: { timeout: options.connectTimeoutMs },
      headersTimeout: options.headersTimeoutMs,
      bodyTimeout: options.headersTimeoutMs,
    });
    this.#sweep = setInterval(() => this.#cutSlow(performance.now()), SWEEP_MS).unref();
  }

  /** Resolves with the answer's head once its body is read; rejects with {@link Unanswered} where there was none. */
  post(headers: Record<string, string>, body: Uint8Array): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      let answer: UpstreamAnswer | undefined;
      let bytes = 0;
      let request: UnderWay | undefined;
      const end = (): void => {
        if (request !== undefined) this.#underWay.delete(request);
      };
      this.#pool.dispatch(
        { method: 'POST', path: this.#options.path, headers, body },
        {
          onRequestStart: (controller) => {
            request = { sinceMs: performance.now(), controller };
            this.#underWay.add(request);
          },
          onResponseStart: (_controller, status, answerHeaders) => {
            answer = { status, headers: answerHeaders };
          },
          onResponseData: (controller, chunk) => {
            bytes += chunk.length;
            if (bytes > MAX_ANSWER_BYTES) controller.abort(new Error('the answer is too long'));
          },
          onResponseEnd: () => {
            end();
            if (answer === undefined) reject(new Unanswered(undefined, true));
            else resolve(answer);
          },
          onResponseError: (_controller, error) => {
            end();
            // A status that was read holds, however its body ended: the upstream has decided.
            if (answer === undefined) reject(new Unanswered(error, request !== undefined));
            else resolve(answer);
          },
        },
      );
    });
  }

  /** Drops the kept connections. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await this.#pool.destroy();
  }

  #cutSlow(nowMs: number): void {
    for (const { sinceMs, controller } of this.#underWay) {
      if (nowMs - sinceMs > this.#options.timeoutMs) controller.abort(new UpstreamTimeout('took too long'));
    }
  }
}
