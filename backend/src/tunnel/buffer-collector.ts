/** Bytes of bodies between two reads of the memory in use: one read takes 10 us. */
const CHECK_EVERY_BYTES = 8 * 2 ** 20;
/** Garbage that makes a collection worth its 30 ms: bytes above those that can be in use, or survived the last one. */
const LEAST_GARBAGE_BYTES = 32 * 2 ** 20;

/** Reads and frees the memory of buffers. Both stop the thread: a read for microseconds, a collection for 30 ms. */
export interface BufferHeap {
  /** Bytes of all buffers of this thread, garbage included. */
  readonly usedBytes: () => number;
  readonly collect: () => void;
}

/**
 * Collects the buffers of finished bodies. Memory target: at most 400 MiB resident during 1,000 uploads of 1 MiB at
 * once (fault experiment F13; 387 to 447 MiB without this class, 320 to 345 with it).
 *
 * V8 collects buffers on other threads, which such a flood keeps from finishing: up to 170 MiB of garbage remained,
 * and `BodyMemory` does not count garbage.
 */
export class BufferCollector {
  readonly #inUseBytes: number;
  readonly #heap: BufferHeap;
  #sinceCheckBytes = 0;
  #survivedBytes = 0;

  /** @param inUseBytes upper bound of the buffers in use; V8 is left alone until garbage exceeds it by 32 MiB. */
  constructor(inUseBytes: number, heap: BufferHeap) {
    this.#inUseBytes = inUseBytes;
    this.#heap = heap;
  }

  /** Counts received bytes of a body, used or discarded, and collects when needed. */
  count(bytes: number): void {
    this.#sinceCheckBytes += bytes;
    if (this.#sinceCheckBytes < CHECK_EVERY_BYTES) return;
    this.#sinceCheckBytes = 0;
    const usedBytes = this.#heap.usedBytes();
    this.#survivedBytes = Math.min(this.#survivedBytes, usedBytes);
    if (usedBytes < Math.max(this.#inUseBytes, this.#survivedBytes) + LEAST_GARBAGE_BYTES) return;
    this.#heap.collect();
    this.#survivedBytes = this.#heap.usedBytes();
  }
}

/** Buffers of this thread. Without `--expose-gc` nothing is collected on demand, and V8 does it at its own time. */
export const BUFFER_HEAP: BufferHeap = {
  usedBytes: () => process.memoryUsage().arrayBuffers,
  collect: () => globalThis.gc?.(),
};
