/** A body over this size is large: few senders send such, and each delays many small ones. */
const LARGE_BYTES = 2 ** 20;
/** A body of at most this size need not queue behind larger ones: nearly every error is smaller. */
const SMALL_BYTES = 64 * 1024;
/** What a sender that waits has in the buffer of its socket. */
const WAITING_BYTES = 64 * 1024;

export interface BodyMemoryLimits {
  readonly maxBytes: number;
  /** Bodies over 1 MiB at once. */
  readonly maxLarge: number;
  /** How long a sender may wait for room. */
  readonly waitMs: number;
  /** Senders that may wait at once: each has sent up to {@link WAITING_BYTES}. */
  readonly maxWaiting: number;
}

interface Waiting {
  readonly tryAgain: () => boolean;
  readonly resolve: (hasRoom: boolean) => void;
}

/**
 * The memory of all bodies under way, from the first byte to the answer: reserved before a byte is read, so that no
 * number of senders can make the process larger than its limit.
 *
 * A body larger than everything is still taken when it is alone.
 */
export class BodyMemory {
  readonly #limits: BodyMemoryLimits;
  #usedBytes = 0;
  #large = 0;
  #waiting: Waiting[] = [];

  constructor(limits: BodyMemoryLimits) {
    this.#limits = limits;
  }

  /** What bodies can take at once: those under way, and the beginnings of those that wait. */
  get mostBytes(): number {
    return this.#limits.maxBytes + this.#limits.maxWaiting * WAITING_BYTES;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Bodies over 1 MiB under way. */
  get large(): number {
    return this.#large;
  }

  /** A reservation of nothing yet, for one body. */
  reserve(): Reservation {
    return new Reservation(this);
  }

  /** Makes a reservation larger; false, and nothing is changed, where there is no room. */
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

  /** Gives a reservation back, and the room to those who wait, in their order. */
  release(bytes: number): void {
    this.#usedBytes -= bytes;
    if (bytes > LARGE_BYTES) this.#large -= 1;
    while (this.#waiting[0]?.tryAgain() === true) this.#waiting.shift()?.resolve(true);
  }

  /** Whether somebody who asks for so much has to queue first. */
  mustQueue(bytes: number): boolean {
    return this.#waiting.length > 0 && bytes > SMALL_BYTES;
  }

  /** Queues; true once `tryAgain` had its room, false when it was not to be had in time. */
  async wait(tryAgain: () => boolean): Promise<boolean> {
    if (this.#waiting.length >= this.#limits.maxWaiting) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting: Waiting = { tryAgain, resolve };
    this.#waiting.push(waiting);
    const late = setTimeout(() => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      resolve(false);
    }, this.#limits.waitMs);
    return promise.finally(() => clearTimeout(late));
  }
}

/**
 * What one body has reserved.
 *
 * States: open -> ended. It only grows while open, and is given back once, however often and for whatever reason its
 * request ends.
 */
export class Reservation {
  readonly #memory: BodyMemory;
  #bytes = 0;
  #hasEnded = false;

  constructor(memory: BodyMemory) {
    this.#memory = memory;
  }

  /** What is reserved, or was until the end. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Makes sure that so many bytes in all are reserved; false where there is no room for them. */
  covers(bytes: number): boolean {
    if (this.#hasEnded) return false;
    if (bytes <= this.#bytes) return true;
    if (!this.#memory.grow(this.#bytes, bytes)) return false;
    this.#bytes = bytes;
    return true;
  }

  /** The same for a body that has yet to begin, which may wait its turn. */
  beginsWith(bytes: number): true | Promise<boolean> {
    if (!this.#memory.mustQueue(bytes) && this.covers(bytes)) return true;
    return this.#memory.wait(() => this.covers(bytes));
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#memory.release(this.#bytes);
  }
}

/** So many bytes of bodies come between two looks at the memory: a look costs 10 us. */
const LOOK_BYTES = 8 * 2 ** 20;
/** So much more must lie there than can be in use, or was after the last collection: a smaller gain is not worth it. */
const LEAST_GAIN_BYTES = 32 * 2 ** 20;

/** How the memory of buffers is read and freed; both stop the thread, for microseconds and for some 30 ms. */
export interface BufferHeap {
  /** Bytes of all buffers of this thread, in use or done with. */
  readonly usedBytes: () => number;
  readonly collect: () => void;
}

/**
 * Keeps the bytes of bodies that are done with from piling up.
 *
 * V8 collects buffers at its leisure, beside the threads that serve: when a thousand uploads come at once, 200 MiB of
 * them can lie there before it is done, and `BodyMemory` has no say in that. So above a limit they are collected at
 * once.
 */
export class BufferCollector {
  readonly #inUseBytes: number;
  readonly #heap: BufferHeap;
  #sinceLookBytes = 0;
  #leftBytes = 0;

  /** @param inUseBytes most of all buffers that can be in use; up to it, and a gain, V8 is left alone. */
  constructor(inUseBytes: number, heap: BufferHeap) {
    this.#inUseBytes = inUseBytes;
    this.#heap = heap;
  }

  /** So many bytes of a body have come, to be kept or not. */
  came(bytes: number): void {
    this.#sinceLookBytes += bytes;
    if (this.#sinceLookBytes < LOOK_BYTES) return;
    this.#sinceLookBytes = 0;
    const usedBytes = this.#heap.usedBytes();
    this.#leftBytes = Math.min(this.#leftBytes, usedBytes);
    if (usedBytes < Math.max(this.#inUseBytes, this.#leftBytes) + LEAST_GAIN_BYTES) return;
    this.#heap.collect();
    this.#leftBytes = this.#heap.usedBytes();
  }
}

/** That of this thread. Without `--expose-gc` nothing can be collected by request; V8 then does it when it does. */
export const BUFFER_HEAP: BufferHeap = {
  usedBytes: () => process.memoryUsage().arrayBuffers,
  collect: () => globalThis.gc?.(),
};
