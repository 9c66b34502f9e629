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
