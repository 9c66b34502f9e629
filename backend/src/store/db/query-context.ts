import type { Database, Flavor } from './schema.ts';

/** The database, its dialect and the clock of a procedure. */
export interface QueryContext {
  readonly db: Database;
  readonly flavor: Flavor;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
