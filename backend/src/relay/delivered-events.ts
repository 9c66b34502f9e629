/** Events that are remembered; 25 bytes each. */
const MAX_EVENTS = 10_000;
/** An event id in binary. */
const ID_BYTES = 16;
/** More than that nobody counts. */
const MAX_TRIES = 255;

/** When an event was delivered, and with which try. */
export interface Delivered {
  readonly atMs: number;
  readonly tries: number;
}

/**
 * The errors one upstream took last, for who asks about one of them. The spool forgets what is delivered, and a row for
 * each would be a write for each: so the time is known of the newest only, since the process began.
 */
export class DeliveredEvents {
  readonly #max: number;
  readonly #ids: Buffer;
  readonly #atMs: Float64Array;
  readonly #tries: Uint8Array;
  /** Where the next one goes. */
  #next = 0;

  constructor(max: number = MAX_EVENTS) {
    this.#max = max;
    this.#ids = Buffer.alloc(max * ID_BYTES);
    this.#atMs = new Float64Array(max);
    this.#tries = new Uint8Array(max);
  }

  /** @param eventId 32 hex digits. */
  add(eventId: string, { atMs, tries }: Delivered): void {
    this.#ids.write(eventId, this.#next * ID_BYTES, ID_BYTES, 'hex');
    this.#atMs[this.#next] = atMs;
    this.#tries[this.#next] = Math.min(tries, MAX_TRIES);
    this.#next = (this.#next + 1) % this.#max;
  }

  /** The last delivery of an event; looks through all of them. */
  find(eventId: string): Delivered | null {
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
