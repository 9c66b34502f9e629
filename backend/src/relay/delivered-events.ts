/** Events in memory, at 25 bytes each. */
const MAX_EVENTS = 10_000;
/** Bytes of a binary event ID. */
const ID_BYTES = 16;
/** Highest number of tries that fits into a byte; higher numbers are stored as this one. */
const MAX_TRIES = 255;

/** Time of a delivery and the number of tries it needed. */
export interface DeliveredEvent {
  readonly atMs: number;
  readonly tries: number;
}

/**
 * Keeps the delivery times of the newest errors of one upstream in a ring buffer. The spool deletes delivered envelopes,
 * and a row for each delivery would cost a write for each; so times are known only since the process started.
 */
export class DeliveredEvents {
  readonly #max: number;
  readonly #ids: Buffer;
  readonly #atMs: Float64Array;
  readonly #tries: Uint8Array;
  /** Index of the next entry. */
  #next = 0;

  constructor(max: number = MAX_EVENTS) {
    this.#max = max;
    this.#ids = Buffer.alloc(max * ID_BYTES);
    this.#atMs = new Float64Array(max);
    this.#tries = new Uint8Array(max);
  }

  /** @param eventId 32 hex digits. */
  add(eventId: string, { atMs, tries }: DeliveredEvent): void {
    this.#ids.write(eventId, this.#next * ID_BYTES, ID_BYTES, 'hex');
    this.#atMs[this.#next] = atMs;
    this.#tries[this.#next] = Math.min(tries, MAX_TRIES);
    this.#next = (this.#next + 1) % this.#max;
  }

  /** Returns the last delivery of an event, by a linear search from the newest entry. */
  find(eventId: string): DeliveredEvent | null {
    const id = Buffer.from(eventId, 'hex');
    if (id.length !== ID_BYTES) return null;
    for (let back = 1; back <= this.#max; back += 1) {
      const at = (this.#next - back + this.#max) % this.#max;
      const [atMs = 0, tries = 0] = [this.#atMs[at], this.#tries[at]];
      if (atMs === 0) return null;
      if (this.#ids.compare(id, 0, ID_BYTES, at * ID_BYTES, (at + 1) * ID_BYTES) === 0)
        return { atMs, tries };
    }
    return null;
  }
}
