/** So many bytes of bodies come between two looks at the memory: a look costs as much as a small envelope. */
const LOOK_BYTES = 8 * 2 ** 20;
/** So much more must lie there than after the last collection: what is in use is not collected again and again. */
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
export class BodyGarbage {
  readonly #limitBytes: number;
  readonly #heap: BufferHeap;
  #sinceLookBytes = 0;
  #leftBytes = 0;

  /** @param limitBytes of all buffers; below it V8 is left alone. */
  constructor(limitBytes: number, heap: BufferHeap) {
    this.#limitBytes = limitBytes;
    this.#heap = heap;
  }

  /** So many bytes of a body have come, to be kept or not. */
  came(bytes: number): void {
    this.#sinceLookBytes += bytes;
    if (this.#sinceLookBytes < LOOK_BYTES) return;
    this.#sinceLookBytes = 0;
    const usedBytes = this.#heap.usedBytes();
    this.#leftBytes = Math.min(this.#leftBytes, usedBytes);
    if (usedBytes < Math.max(this.#limitBytes, this.#leftBytes + LEAST_GAIN_BYTES)) return;
    this.#heap.collect();
    this.#leftBytes = this.#heap.usedBytes();
  }
}

/** That of this thread. Without `--expose-gc` nothing can be collected by request; V8 then does it when it does. */
export const BUFFER_HEAP: BufferHeap = {
  usedBytes: () => process.memoryUsage().arrayBuffers,
  collect: () => globalThis.gc?.(),
};
