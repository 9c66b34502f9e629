import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../thread/worker-rpc.ts';
import { scrubbedItems } from './scrubbed-items.ts';

/** The thread that scrubs envelopes for upstreams: JSON of strangers is never parsed on the thread that answers HTTP. */

/** Calls of the thread: items of an envelope in, the same items without secrets out. */
export type ScrubCalls = typeof CALLS;

const CALLS = { scrub: scrubbedItems };

if (parentPort !== null) serveCalls<ScrubCalls>(parentPort, { calls: CALLS, codeOf: () => 'unscrubbable' });
