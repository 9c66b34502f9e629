/** A body over this size is large: few clients send such bodies, and each one delays many small ones. */
const LARGE_BYTES = 2 ** 20;
/** A body of at most this size need not queue behind larger ones: nearly every error is smaller. */
const SMALL_BYTES = 64 * 1024;
/** Bytes that a waiting client has sent already: those in the buffer of its socket. */
const WAITING_BYTES = 64 * 1024;

export interface BodyMemoryLimits {
  readonly maxBytes: number;
  /** Bodies over 1 MiB that may be in progress at once. */
  readonly maxLarge: number;
  /** How long a client may wait for memory, ms. */
  readonly waitMs: number;
  /** Clients that may wait at once: each has sent up to {@link WAITING_BYTES}. */
  readonly maxWaiting: number;
}

interface WaitingBody {
  readonly tryAgain: () => boolean;
  readonly resolve: (hasMemory: boolean) => void;
}

/**
 * Limits the memory of all request bodies in progress, from the first byte to the response. It is reserved before a
 * byte is read, so that no number of uploads can exhaust the memory of the process.
 *
 * A body larger than the whole limit is accepted when no other body is in progress.
 */
export class BodyMemory {
  readonly #limits: BodyMemoryLimits;
  #usedBytes = 0;
  #large = 0;
  #waiting: WaitingBody[] = [];

  constructor(limits: BodyMemoryLimits) {
    this.#limits = limits;
  }

  /** Upper bound of the bytes in use: bodies in progress, and the first bytes of waiting ones. */
  get mostBytes(): number {
    return this.#limits.maxBytes + this.#limits.maxWaiting * WAITING_BYTES;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Number of bodies over 1 MiB in progress. */
  get large(): number {
    return this.#large;
  }

  /** Creates an empty reservation for one body. */
  reserve(): Reservation {
    return new Reservation(this);
  }

  /** Grows a reservation. Returns false and changes nothing when there is not enough memory. */
  grow(fromBytes: number, toBytes: number): boolean {
    const isNewlyLarge = toBytes > LARGE_BYTES && fromBytes <= LARGE_BYTES;
    if (isNewlyLarge && this.#large >= this.#limits.maxLarge) return false;
    const isAlone = this.#usedBytes === fromBytes;
    const usedBytes = this.#usedBytes + toBytes - fromBytes;
    if (usedBytes > this.#limits.maxBytes && !isAlone) return false;
    this.#usedBytes = usedBytes;
    if (isNewlyLarge) this.#large += 1;
    return true;
  }

  /** Releases the bytes of a reservation, and gives them to waiting bodies, first come, first served. */
  release(bytes: number): void {
    this.#usedBytes -= bytes;
    if (bytes > LARGE_BYTES) this.#large -= 1;
    while (this.#waiting[0]?.tryAgain() === true) this.#waiting.shift()?.resolve(true);
  }

  /** Returns whether a body of this size must queue, because others wait already. */
  mustQueue(bytes: number): boolean {
    return this.#waiting.length > 0 && bytes > SMALL_BYTES;
  }

  /** Queues. Resolves to true once `tryAgain` succeeds, to false when the wait or the queue is too long. */
  async wait(tryAgain: () => boolean): Promise<boolean> {
    if (this.#waiting.length >= this.#limits.maxWaiting) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting: WaitingBody = { tryAgain, resolve };
    this.#waiting.push(waiting);
    const timeout = setTimeout(() => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      resolve(false);
    }, this.#limits.waitMs);
    return promise.finally(() => clearTimeout(timeout));
  }
}

/**
 * The reserved bytes of one body.
 *
 * States: open -> released, asserted by `#isReleased`: only an open reservation grows, and `release` acts once,
 * because a request can end in several ways at the same time (response, timeout, closed connection).
 */
export class Reservation {
  readonly #memory: BodyMemory;
  #bytes = 0;
  #isReleased = false;

  constructor(memory: BodyMemory) {
    this.#memory = memory;
  }

  /** Reserved bytes; after the release the last value. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Grows the reservation to at least `bytes` in total. Returns false when there is not enough memory. */
  growTo(bytes: number): boolean {
    if (this.#isReleased) return false;
    if (bytes <= this.#bytes) return true;
    if (!this.#memory.grow(this.#bytes, bytes)) return false;
    this.#bytes = bytes;
    return true;
  }

  /** Reserves the first `bytes` of a body; over 64 KiB it may wait for them. Resolves to false after a timeout. */
  begin(bytes: number): true | Promise<boolean> {
    if (!this.#memory.mustQueue(bytes) && this.growTo(bytes)) return true;
    return this.#memory.wait(() => this.growTo(bytes));
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#memory.release(this.#bytes);
  }
}
