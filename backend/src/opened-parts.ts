import type { Log } from './telemetry/log.ts';
import type { Deadline } from './time/deadline.ts';

/**
 * Time after the deadline of a stop until its end, ms. It is short: what is not closed by then is as after a kill, which spool
 * and store survive.
 */
export const CLOSING_MS = 2_000;
/** Of that, the part that was opened first and is closed last has a time of its own, and the exit of the process the rest. */
const OTHERS_MS = 1_000;
const FIRST_MS = 1_500;

/** Closes a part; it has until the deadline to end its work. */
type Close = (deadline: Deadline) => unknown;

/**
 * Closes opened parts, the last one first. A part that fails is logged, and so is one that is not closed in time; neither keeps
 * the others open.
 */
export class OpenedParts {
  readonly #log: Log;
  readonly #opened: (readonly [part: string, close: Close])[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  add(part: string, close: Close): void {
    this.#opened.push([part, close]);
  }

  async close(deadline: Deadline): Promise<void> {
    for (let next = this.#opened.pop(); next !== undefined; next = this.#opened.pop()) {
      const [part, close] = next;
      const end = deadline.plus(this.#opened.length === 0 ? FIRST_MS : OTHERS_MS);
      try {
        const isClosed = await end.wait(Promise.resolve(deadline).then(close));
        if (!isClosed) this.#log.error({ part }, 'part_not_closed_in_time');
      } catch (err) {
        this.#log.error({ err, part }, 'part_not_closed');
      }
    }
  }
}
