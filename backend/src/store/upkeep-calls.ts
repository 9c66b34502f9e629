import { sql } from 'kysely';
import { retain, type Retained, type RetentionLimits } from './retention/retention.ts';
import { ownProjectKey } from './db/own-project-key.ts';
import type { StoreContext } from './store-context.ts';

/** What the process itself asks of the store. */
export const UPKEEP_CALLS = {
  /** The public key of Errata's own project, made on first use and shared by all replicas: 32 hex digits. */
  ownProjectKey: ({ db }: StoreContext): Promise<string> => ownProjectKey(db),

  /** Deletes what is older than `maxAgeMs`, then the oldest until all of it fits `maxBytes`; counters stay. */
  retain: async (
    { db, flavor, memory }: StoreContext,
    limits: RetentionLimits,
    nowMs: number,
  ): Promise<Retained> => {
    const retained = await retain({ db, flavor }, limits, nowMs);
    memory.forget();
    // What was deleted still stands in the log of the file until that is written back and cut.
    if (flavor === 'sqlite' && retained.events + retained.issues > 0)
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
    return retained;
  },
};
