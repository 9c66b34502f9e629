import type { ClientMaps } from '../sourcemap/client-maps.ts';
import type { Semaphore } from '../time/semaphore.ts';
import type { IngestCache } from './ingest/ingest-cache.ts';
import type { ReadOptions } from './ingest/read-envelope.ts';
import type { DiskRoom } from './db/schema.ts';
import type { QueryContext } from './db/query-context.ts';
import type { EarlyEvictions } from './retention/early-evictions.ts';

/** Context of the store's procedures. */
export interface StoreContext extends QueryContext {
  readonly read: ReadOptions;
  /** Must be cleared after rows were deleted. */
  readonly cache: IngestCache;
  readonly evictions: EarlyEvictions;
  /** Lets one retention run at a time: each computes the excess from the rows that it sees, and deletes it. */
  readonly retaining: Semaphore;
  /** The served client with its source maps; null where none is served. */
  readonly client: ClientMaps | null;
  /** The disk of the embedded database. */
  readonly room?: DiskRoom | undefined;
}
