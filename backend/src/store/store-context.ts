import type { ClientMaps } from '../sourcemap/client-maps.ts';
import type { IngestMemory } from './ingest/ingest-memory.ts';
import type { ReadOptions } from './ingest/read-envelope.ts';
import type { QueryContext } from './db/query-context.ts';

/** What a call of the store works with. */
export interface StoreContext extends QueryContext {
  readonly read: ReadOptions;
  /** To be told when rows were deleted. */
  readonly memory: IngestMemory;
  /** The client that is served, with its source maps; null when there is none. */
  readonly client: ClientMaps | null;
  /** Called before a large write. @throws where the disk is about to be full. */
  readonly needRoom?: (() => void) | undefined;
}
