import type { ReadOptions } from './ingest/read-envelope.ts';
import type { Database, Flavor } from './schema.ts';

/** What a call of the store works with. */
export interface StoreContext {
  readonly db: Database;
  readonly flavor: Flavor;
  readonly read: ReadOptions;
  readonly now: () => number;
}
