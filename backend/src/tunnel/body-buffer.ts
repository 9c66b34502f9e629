import { type Admission, type Reservation, SMALL_BYTES } from './body-memory.ts';

/** A decoded request body, or the reason for its rejection. */
export type ReadBody = { readonly outcome: 'ok'; readonly bytes: Buffer } | BodyRejection;

export interface BodyRejection {
  readonly outcome:
    'too_large' | 'coding' | 'malformed' | 'aborted' | 'timeout' | 'unavailable' | 'rate_limited';
  readonly detail: string;
}

/** The rejection of a body, or undefined once all of it has arrived. */
export type Rejected = BodyRejection | undefined;

/** Rejections of a body for which there is no memory. */
export const REFUSALS: Readonly<Record<Exclude<Admission, 'ok'>, BodyRejection>> = {
  unavailable: { outcome: 'unavailable', detail: 'too many requests in progress; try again later' },
  rate_limited: { outcome: 'rate_limited', detail: 'too many bodies in progress from this network' },
};

export const UNDECODABLE: BodyRejection = { outcome: 'malformed', detail: 'body cannot be decoded' };

export function tooLarge(maxBytes: number): BodyRejection {
  return { outcome: 'too_large', detail: `body exceeds ${maxBytes} bytes` };
}

/**
 * Collects the chunks of a body, and charges their memory before it is used.
 *
 * A body in one chunk is that chunk. Any other is copied as it arrives into one buffer, which doubles up to the declared
 * length: chunks that are kept until the end would cost twice their bytes then, and tiny ones a hundred times as much.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  readonly #reservation: Reservation;
  readonly #mostBytes: number;
  #single: Buffer | undefined;
  #whole: Buffer<ArrayBuffer> | undefined;
  #chargedBytes = 0;
  #length = 0;

  /** @param declaredBytes length that the client announced; null without one. */
  constructor(maxBytes: number, reservation: Reservation, declaredBytes: number | null = null) {
    this.#maxBytes = maxBytes;
    this.#reservation = reservation;
    this.#mostBytes = declaredBytes ?? maxBytes;
  }

  /**
   * Adds a chunk, or returns the reason for the rejection of the body. With a promise the chunk waits for room: no other
   * may be added until it is resolved.
   */
  add(chunk: Buffer): Rejected | Promise<Rejected> {
    const capacity = this.#capacityWith(chunk);
    if (capacity > this.#maxBytes) return tooLarge(this.#maxBytes);
    if (capacity === this.#chargedBytes) return this.#append(chunk, 'ok', capacity);
    const admission = this.#reservation.grow(capacity - this.#chargedBytes);
    return typeof admission === 'string'
      ? this.#append(chunk, admission, capacity)
      : admission.then((admitted) => this.#append(chunk, admitted, capacity));
  }

  /** Adds a chunk for which no room is waited: its decoder holds memory that the next body needs. */
  addNow(chunk: Buffer): Rejected {
    const capacity = this.#capacityWith(chunk);
    if (capacity > this.#maxBytes) return tooLarge(this.#maxBytes);
    return this.#append(chunk, this.#reservation.growNow(capacity - this.#chargedBytes), capacity);
  }

  /** Returns all bytes and drops them here: a request holds its buffer for as long as it lives, also while its answer waits. */
  take(): Buffer {
    const bytes = this.#single ?? this.#whole?.subarray(0, this.#length) ?? Buffer.alloc(0);
    this.drop();
    return bytes;
  }

  /** Drops the bytes of a rejected body, of which more may still arrive. */
  drop(): void {
    this.#single = undefined;
    this.#whole = undefined;
  }

  #append(chunk: Buffer, admission: Admission, capacity: number): Rejected {
    if (admission !== 'ok') return REFUSALS[admission];
    this.#chargedBytes = capacity;
    if (this.#length === 0) this.#single = chunk;
    else this.#copy(chunk);
    this.#length += chunk.length;
    return undefined;
  }

  /** Returns the bytes to charge with a further chunk; more than the maximum where it is too large. */
  #capacityWith(chunk: Buffer): number {
    const length = this.#length + chunk.length;
    return this.#length === 0 || length > this.#maxBytes ? length : this.#capacityFor(length);
  }

  /** Doubles the buffer if need be, so that copying costs a few times the body at most; in steps of 64 KiB. */
  #capacityFor(length: number): number {
    const capacity = this.#whole?.length ?? 0;
    if (length <= capacity) return capacity;
    const steps = Math.ceil(length / SMALL_BYTES) * SMALL_BYTES;
    return Math.min(this.#mostBytes, Math.max(2 * capacity, steps));
  }

  #copy(chunk: Buffer): void {
    const capacity = this.#chargedBytes;
    if (this.#whole === undefined) {
      this.#whole = Buffer.allocUnsafeSlow(capacity);
      this.#single?.copy(this.#whole);
      this.#single = undefined;
    } else if (this.#whole.length < capacity) {
      // Frees the old bytes at once, which a copy would leave to the garbage collector.
      this.#whole = Buffer.from(this.#whole.buffer.transfer(capacity));
    }
    chunk.copy(this.#whole, this.#length);
  }
}
