import type { Database, Flavor } from './schema.ts';

/** Database, its dialect and the clock that a procedure works with. */
export interface QueryContext {
  readonly db: Database;
  readonly flavor: Flavor;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
