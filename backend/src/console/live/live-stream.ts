import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '../../contract/live-api.ts';
import type { LiveListener } from './live-feed.ts';

/** Below the 60 s after which common proxies cut a silent connection; and how late a session's end is noticed. */
const HEARTBEAT_MS = 15_000;
/** How soon a browser comes back after its stream has ended. */
const RETRY_MS = 3_000;
/** A reader this far behind is cut off; it comes back with its cursor. */
const MAX_UNSENT_BYTES = 2 ** 20;

export interface LiveStreamOptions {
  /** Whether whoever opened it may still look; asked with each heartbeat. Rejects while that cannot be said. */
  readonly isWelcome: () => Promise<boolean>;
  /** Once: when it is to end, or its reader has gone. */
  readonly onEnd: () => void;
}

/**
 * One open page's stream of server-sent events.
 *
 * States: open -> over. It is over at once when it is to end: a reader that does not read can hold off the end of its
 * response, and writing behind that end is an error.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class LiveStream implements LiveListener {
  readonly #response: ServerResponse;
  readonly #options: LiveStreamOptions;
  readonly #heartbeat: NodeJS.Timeout;
  #isOver = false;

  constructor(response: ServerResponse, options: LiveStreamOptions, heartbeatMs: number = HEARTBEAT_MS) {
    this.#response = response;
    this.#options = options;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Content-Type-Options': 'nosniff',
      // nginx would else gather a stream until its buffer is full.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.#heartbeat = setInterval(() => void this.#beat(), heartbeatMs).unref();
    response.once('close', () => this.#leave());
    // What breaks a connection also closes it; an error nobody listens for would end the process.
    response.on('error', () => this.#leave());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  take(events: readonly LiveEvent[], passed: number, cursor: number): void {
    if (this.#isOver) return;
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
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    this.#options.onEnd();
  }

  /** A comment, so that nothing on the way takes the connection for dead. */
  async #beat(): Promise<void> {
    // A store that cannot be asked has ended nobody's session.
    const isWelcome = await this.#options.isWelcome().catch(() => true);
    if (this.#isOver) return;
    if (isWelcome) this.#response.write(':\n\n');
    else this.end();
  }

  #send(name: string, data: unknown, cursor: number): void {
    this.#response.write(`id: ${cursor}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
