import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '../../contract/live-api.ts';
import type { LiveListener } from './live-feed.ts';

/** Below the 60 s after which common proxies close an idle connection. A session's end is noticed this late. */
const HEARTBEAT_MS = 15_000;
/** Time after which a browser reconnects. */
const RETRY_MS = 3_000;
/** A slower reader is disconnected, so that its events do not fill the memory; it reconnects with its cursor. */
const MAX_UNSENT_BYTES = 2 ** 20;

export interface LiveStreamOptions {
  /** Returns whether the session is still valid; called with each heartbeat. Rejects while the store is unavailable. */
  readonly isSignedIn: () => Promise<boolean>;
  /** Called once, when the stream ends or its reader has disconnected. */
  readonly onEnd: () => void;
}

/**
 * The stream of server-sent events of one open page. It must never write after its end.
 *
 * States: open -> over. The state changes before the response has ended: a reader that does not read delays that end, and
 * a write after it is an error.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class LiveEventStream implements LiveListener {
  readonly #response: ServerResponse;
  readonly #options: LiveStreamOptions;
  readonly #heartbeat: NodeJS.Timeout;
  #state: 'open' | 'over' = 'open';

  constructor(response: ServerResponse, options: LiveStreamOptions, heartbeatMs: number = HEARTBEAT_MS) {
    this.#response = response;
    this.#options = options;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Content-Type-Options': 'nosniff',
      // Without it nginx buffers a stream until its buffer is full.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.#heartbeat = setInterval(() => void this.#beat(), heartbeatMs).unref();
    response.once('close', () => this.#leave());
    // A broken connection also closes; an error without a listener would end the process.
    response.on('error', () => this.#leave());
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  take(events: readonly LiveEvent[], passed: number, cursor: number): void {
    if (this.isOver) return;
    if (this.#response.writableLength > MAX_UNSENT_BYTES) {
      this.#response.destroy();
      return;
    }
    if (passed > 0) this.#send('gap', { events: passed }, cursor);
    for (const event of events) this.#send('event', event, cursor);
  }

  end(): void {
    this.#leave();
    this.#response.end();
  }

  #leave(): void {
    if (this.isOver) return;
    this.#state = 'over';
    clearInterval(this.#heartbeat);
    this.#options.onEnd();
  }

  /** Sends a comment, so that no proxy considers the connection dead. */
  async #beat(): Promise<void> {
    // An unavailable store does not end a session.
    const isSignedIn = await this.#options.isSignedIn().catch(() => true);
    if (this.isOver) return;
    if (isSignedIn) this.#response.write(':\n\n');
    else this.end();
  }

  #send(name: string, data: unknown, cursor: number): void {
    this.#response.write(`id: ${cursor}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
