import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../thread/worker-rpc.ts';
import { scrubbedItems } from './scrubbed-items.ts';

/** The thread that scrubs envelopes for upstreams: JSON of strangers is never parsed on the thread that answers HTTP. */

/** Calls of the thread: items of an envelope in, the same items without secrets out. */
export type ScrubCalls = typeof CALLS;

const CALLS = { scrub: scrubbedItems };

/** Lists the memory of a large result, which is its own: a copy of 20 MiB is saved. A small one lies in memory of others. */
function transferOf(result: unknown): readonly ArrayBuffer[] {
  if (!(result instanceof Uint8Array) || !(result.buffer instanceof ArrayBuffer)) return [];
  return result.byteLength === result.buffer.byteLength ? [result.buffer] : [];
}

if (parentPort !== null)
  serveCalls<ScrubCalls>(parentPort, { calls: CALLS, codeOf: () => 'unscrubbable', transferOf });
