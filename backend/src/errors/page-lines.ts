import { Deadline } from '../time/deadline.ts';
import { RecentMap } from '../time/recent-map.ts';
import { REAL_TIME, type TimeSource } from '../time/time-source.ts';

/** A line that an operator has set or removed is on the pages of all replicas, or on none, after this time. */
const FRESH_MS = 1_000;
/** The wait for the report of the failure hides this one. */
const MAX_WAIT_MS = 100;
/** More faults than any application has at a time. */
const MAX_FAULTS = 1_000;

/** The last known line of a fault. */
interface Fault {
  line: string | null;
  askedMs: number;
  /** Ends with the answer under way; never fails. */
  asking: Promise<void> | null;
}

/**
 * Lines of operators for the pages of known faults. A fault is looked up once a second at most, however often it happens; while
 * the store cannot answer, its last line counts. A page must never wait for the store for longer than 100 ms.
 */
export class PageLines {
  readonly #lookUp: (key: string) => Promise<string | null>;
  readonly #time: TimeSource;
  readonly #faults = new RecentMap<string, Fault>(MAX_FAULTS);

  /** @param lookUp returns the line of a fault by its full digest key; null for none. */
  constructor(lookUp: (key: string) => Promise<string | null>, time: TimeSource = REAL_TIME) {
    this.#lookUp = lookUp;
    this.#time = time;
  }

  /** Returns the line of a fault; null for none. Never throws. */
  async lineOf(key: string): Promise<string | null> {
    const fault = this.#faults.get(key) ?? { line: null, askedMs: -Infinity, asking: null };
    this.#faults.set(key, fault);
    // Counted from the question: the store may have read the row at its beginning.
    if (fault.asking === null && this.#time.nowMs() - fault.askedMs >= FRESH_MS) this.#ask(key, fault);
    if (fault.asking !== null) await new Deadline(MAX_WAIT_MS, this.#time).wait(fault.asking);
    return fault.line;
  }

  #ask(key: string, fault: Fault): void {
    fault.askedMs = this.#time.nowMs();
    fault.asking = this.#lookUp(key)
      .then(
        (line) => void (fault.line = line),
        () => undefined,
      )
      .finally(() => void (fault.asking = null));
  }
}
