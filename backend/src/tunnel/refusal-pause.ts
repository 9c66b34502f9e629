import type { TimeSource } from '../time/time-source.ts';
import { UNAVAILABLE_SECONDS } from './response.ts';

/**
 * How long a repeated refusal waits: as long as a commit may take. On one core 3,000 clients that repeat at once then leave
 * the time for 1,280 deliveries a second; with half of the pause 740 to 960, without it 310.
 */
export const REFUSAL_PAUSE_MS = 2_000;

/**
 * Delays the answer to a client that was refused because the spool is overloaded, and sends again at once.
 *
 * A first refusal is answered at once, one more on the same connection within `Retry-After` later. Thousands of clients that
 * do not keep to it would otherwise take all of the main thread, and with it the deliveries that make room and the look-ups in
 * the console. A connection has one answer waiting, and its body is no longer in memory.
 */
export class RefusalPause {
  readonly #time: Pick<TimeSource, 'nowMs' | 'startTimer'>;
  /** When each connection was last refused; an entry goes with its connection. */
  readonly #refusedAtMs = new WeakMap<object, number>();

  constructor(time: Pick<TimeSource, 'nowMs' | 'startTimer'>) {
    this.#time = time;
  }

  /** Resolves when a refusal may be sent. @param connection its socket. */
  async before(connection: object): Promise<void> {
    const refusedAtMs = this.#refusedAtMs.get(connection) ?? -Infinity;
    if (this.#time.nowMs() - refusedAtMs < UNAVAILABLE_SECONDS * 1_000) {
      await new Promise<void>((resolve) => void this.#time.startTimer(REFUSAL_PAUSE_MS, resolve));
    }
    this.#refusedAtMs.set(connection, this.#time.nowMs());
  }
}
