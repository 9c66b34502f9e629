import type { Dispatcher } from 'undici';
import type { UpstreamHeaders } from '../envelope/rate-limits.ts';
import { dispatcherTo, type EgressProxy } from '../net/outgoing.ts';
import { Slots } from '../time/slots.ts';

/** Most bytes read of a response body. Reading it frees the connection; its text is never passed on. */
const MAX_RESPONSE_BYTES = 64 * 1024;
/**
 * Bytes that may precede the text of a body: space, tab, CR, LF, and the three of a UTF-8 byte order mark. Each of those
 * is skipped by itself, because a chunk of the body may end within the mark.
 */
const LEADING_BYTES = new Set([0x20, 0x09, 0x0d, 0x0a, 0xef, 0xbb, 0xbf]);
/** Interval of the check for overdue requests: one timer for each request cost as much as sending it. */
const SWEEP_MS = 1_000;

export interface UpstreamClientOptions {
  readonly origin: string;
  readonly path: string;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly timeoutMs: number;
  readonly proxy: EgressProxy;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  /** First byte of the body after blanks and a byte order mark; undefined without one. */
  readonly firstByte: number | undefined;
}

/** A response whose body is being read. */
interface OpenResponse extends UpstreamResponse {
  firstByte: number | undefined;
}

/** Reports a request without a response; `cause` holds the reason. */
export class NoResponse extends Error {
  /** Whether a part of the request may have been sent. */
  readonly wasSent: boolean;

  constructor(cause: unknown, wasSent: boolean) {
    super('no response', { cause });
    this.wasSent = wasSent;
  }
}

/** Aborts a request that took longer than `timeoutMs` in total. */
class UpstreamTimeout extends Error {
  override readonly name = 'TimeoutError';
}

interface OpenRequest {
  readonly startedAtMs: number;
  readonly controller: Dispatcher.DispatchController;
}

/**
 * Sends POST requests to one URL over a pool of keep-alive connections. Redirects are not followed and bodies are not
 * decoded. It uses undici's `dispatch`, because `request` creates a stream for a body that is never read, which costs a
 * quarter of a delivery.
 */
export class UpstreamClient {
  readonly #options: UpstreamClientOptions;
  readonly #dispatcher: Dispatcher;
  readonly #openRequests = new Slots<OpenRequest>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: UpstreamClientOptions) {
    this.#options = options;
    const limits = {
      connections: options.connections,
      pipelining: 1,
      connect: { timeout: options.connectTimeoutMs },
      headersTimeout: options.headersTimeoutMs,
      bodyTimeout: options.headersTimeoutMs,
    };
    this.#dispatcher = dispatcherTo(options.origin, limits, options.proxy);
    this.#sweep = setInterval(() => this.#abortOverdue(performance.now()), SWEEP_MS).unref();
  }

  /** Sends one request. Resolves after the response body is read; rejects with {@link NoResponse} without a response. */
  post(headers: Record<string, string>, body: Uint8Array): Promise<UpstreamResponse> {
    return new Promise((resolve, reject) => {
      let response: OpenResponse | undefined;
      let bytes = 0;
      let slot: number | undefined;
      const end = (): void => {
        if (slot !== undefined) this.#openRequests.remove(slot);
      };
      const { origin, path } = this.#options;
      this.#dispatcher.dispatch(
        { origin, method: 'POST', path, headers, body },
        {
          onRequestStart: (controller) => {
            slot = this.#openRequests.add({ startedAtMs: performance.now(), controller });
          },
          onResponseStart: (_controller, status, responseHeaders) => {
            response = { status, headers: responseHeaders, firstByte: undefined };
          },
          onResponseData: (controller, chunk) => {
            bytes += chunk.length;
            if (response !== undefined) response.firstByte ??= chunk.find(isText);
            if (bytes > MAX_RESPONSE_BYTES) controller.abort(new Error('the response is too long'));
          },
          onResponseEnd: () => {
            end();
            if (response === undefined) reject(new NoResponse(undefined, true));
            else resolve(response);
          },
          onResponseError: (_controller, error) => {
            end();
            // The status counts even if the body was cut off: the upstream has decided.
            if (response === undefined) reject(new NoResponse(error, slot !== undefined));
            else resolve(response);
          },
        },
      );
    });
  }

  /** Closes all connections and ends the open requests. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await this.#dispatcher.destroy();
  }

  #abortOverdue(nowMs: number): void {
    for (const { startedAtMs, controller } of this.#openRequests.all()) {
      if (nowMs - startedAtMs > this.#options.timeoutMs)
        controller.abort(new UpstreamTimeout('took too long'));
    }
  }
}

function isText(byte: number): boolean {
  return !LEADING_BYTES.has(byte);
}
