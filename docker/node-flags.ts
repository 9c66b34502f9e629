import { join } from 'node:path';

/**
 * How Node runs Errata in the image (docker/start.ts), in `make start`, in the tests and in the bench. With Node's
 * defaults the process takes half as much memory again and is hardly faster.
 *
 * - `--max-semi-space-size`: V8 does not give the space for young objects back; it grows to 64 MiB under load.
 * - `--heap-growing-percent`: by default V8 lets the heap double before it collects garbage. With 60 %
 *   a core accepts a fifth more errors than with 30 %, for 23 MiB; see docs/decisions/017-heap-growth.md.
 * - `--expose-gc`: in a flood of uploads the process collects the bytes of request bodies explicitly
 *   (backend/src/tunnel).
 */
export const NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=60',
  '--expose-gc',
];

const HEAP_PERCENT = 60;
const HEAP_SIZE = /--max-(old-space|heap)-size/;

/**
 * Returns the flag that sizes the heap by the memory limit of the container: Node then ends with a log line, where the
 * kernel would kill it without one. The default heap is about 260 MiB for any limit from 128 to 512 MiB. Without a limit
 * below the machine's memory (`make start`) the default stays, and so does a size in the operator's NODE_OPTIONS, over
 * which a flag would have precedence.
 *
 * @param limitBytes `process.constrainedMemory()`: 0 where no limit is known, more than the machine has where none is set
 */
export function heapFlags(limitBytes: number, machineBytes: number, nodeOptions: string): readonly string[] {
  const hasLimit = limitBytes > 0 && limitBytes < machineBytes;
  return hasLimit && !HEAP_SIZE.test(nodeOptions) ? [`--max-old-space-size-percentage=${HEAP_PERCENT}`] : [];
}

/**
 * Settings of glibc's allocator.
 *
 * - `MALLOC_ARENA_MAX`: all threads share two heaps. A heap for each thread is memory that is never given back.
 * - `MALLOC_MMAP_THRESHOLD_`: buffers of 256 KiB and more stay out of the heaps, where the gap that they leave between
 *   small buffers is not returned to the system. 1,000 uploads of 1 MiB beside a busy disk took 306 to 406 MiB; with
 *   this setting 290 to 307 MiB.
 * - `MALLOC_TRIM_THRESHOLD_`: setting the threshold above fixes this one at 128 KiB (mallopt(3)). 16 MiB keep a busy
 *   server from returning the free end of a heap and asking for it again.
 *
 * And of Node: `NODE_COMPILE_CACHE` keeps the compiled code from one start to the next, which saves a sixth of the
 * processor time of a start. Where the folder cannot be written, as in the image, Node starts without it.
 */
export const NODE_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '16777216',
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'),
};
