import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../thread/worker-rpc.ts';
import type { ScrubCalls } from './scrub-thread.ts';
import { scrubbedItems } from './scrubbed-items.ts';

/** The thread that scrubs envelopes for upstreams: JSON of strangers is never parsed on the thread that answers HTTP. */

if (parentPort !== null)
  serveCalls<ScrubCalls>(parentPort, { calls: { scrub: scrubbedItems }, codeOf: () => 'unscrubbable' });
