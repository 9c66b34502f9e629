import type { TimeSource } from '../time/time-source.ts';
import { UNAVAILABLE_SECONDS } from './response.ts';

/**
 * How long a repeated refusal waits: as long as a commit may take. On one core 3,000 clients that repeat at once then leave
 * the time for 1,280 deliveries a second; with half of the pause 740 to 960, without it 310.
 */
export const REFUSAL_PAUSE_MS = 2_000;

/** Refusals that may wait at once: less than half of the connections of a server, so that others find one. */
const MAX_WAITING = 4_096;

/** The last refusal on a connection. */
interface Refusal {
  readonly address: string;
  readonly atMs: number;
}

/**
 * Delays the answer to a client that was refused because the spool is overloaded, and sends again at once.
 *
 * A first refusal is answered at once, one more on the same connection within `Retry-After` later. Thousands of clients that
 * do not keep to it would otherwise take all of the main thread, and with it the deliveries that make room and the look-ups in
 * the console. A connection of a proxy carries the requests of many clients, none of which repeats: theirs do not wait.
 */
export class RefusalPause {
  readonly #time: Pick<TimeSource, 'nowMs' | 'startTimer'>;
  /** An entry goes with its connection. */
  readonly #last = new WeakMap<object, Refusal>();
  #waiting = 0;

  constructor(time: Pick<TimeSource, 'nowMs' | 'startTimer'>) {
    this.#time = time;
  }

  /** Resolves when a refusal may be sent. @param connection its socket. @param address of its client. */
  async before(connection: object, address: string): Promise<void> {
    if (this.#isRepeated(connection, address) && this.#waiting < MAX_WAITING) {
      this.#waiting += 1;
      await new Promise<void>((resolve) => void this.#time.startTimer(REFUSAL_PAUSE_MS, resolve));
      this.#waiting -= 1;
    }
    this.#last.set(connection, { address, atMs: this.#time.nowMs() });
  }

  #isRepeated(connection: object, address: string): boolean {
    const last = this.#last.get(connection);
    return last?.address === address && this.#time.nowMs() - last.atMs < UNAVAILABLE_SECONDS * 1_000;
  }
}
