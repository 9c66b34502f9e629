import { sql } from 'kysely';
import { deleteAudit, listAudit, writeAudit } from './access/audit-rows.ts';
import {
  deleteEndedSessions,
  deleteSession,
  deleteSessionById,
  findSession,
  listSessions,
  saveSession,
  touchSession,
} from './access/session-rows.ts';
import { agesMeasuredMs, saveAgesMeasured } from './db/age-time.ts';
import { storedEvents } from './db/counters.ts';
import { storedKey } from './db/stored-key.ts';
import { readContent, type StoredContent } from './client-files/client-file-rows.ts';
import {
  type ClientFileCounts,
  deleteUnserved,
  type ServedFolder,
  storeFiles,
} from './client-files/store-files.ts';
import { ERASURE_PROCEDURES } from './erasure-procedures.ts';
import { type DeadLetterContent, deadLetterItems, type LetterForm } from './event/dead-letter-items.ts';
import { ISSUE_PROCEDURES } from './issue-procedures.ts';
import { claimAlerts, dropOtherTargets, settleAlert } from './outbox/lease.ts';
import { alertStates } from './outbox/target-states.ts';
import { hasDeleted, retain, type Retained, type RetentionLimits } from './retention/retention.ts';
import { type SourceMapCounts, type SourceMapLimits, storeClient } from './source-maps/store-client.ts';
import type { StoreContext } from './store-context.ts';

/** Procedures without a database. They run in the store's thread: they parse bytes from clients, or read its memory. */
export const PURE_PROCEDURES = {
  /** Returns the items in the bytes of a dead letter, scrubbed. */
  deadLetterItems: (_context: unknown, bytes: Uint8Array, form: LetterForm): Promise<DeadLetterContent> =>
    Promise.resolve(deadLetterItems(bytes, form)),

  /** Returns how many events and feedback were last deleted for space, before the maximum age; 0 where that is more than an hour ago. */
  earlyEvictions: ({ evictions, now }: StoreContext): Promise<number> =>
    Promise.resolve(evictions.recent(now())),
};

/**
 * The procedures of the store by name. A procedure takes the store's context and arguments that can be cloned between
 * threads; its result can be cloned, too.
 */
export const PROCEDURES = {
  ...PURE_PROCEDURES,
  ...ISSUE_PROCEDURES,
  ...ERASURE_PROCEDURES,
  storedEvents,
  storedKey,

  saveSession,
  session: findSession,
  sessions: listSessions,
  touchSession,
  deleteSession,
  deleteSessionById,
  deleteEndedSessions,

  writeAudit,
  audit: listAudit,
  deleteAudit,

  /**
   * Stores the source maps of the served clients; undefined where no client is served.
   *
   * @param hasChanged whether a new build is served, whose maps are read first.
   */
  storeSourceMaps: async (
    { db, client, read, room, now }: StoreContext,
    limits: SourceMapLimits,
    hasChanged = false,
  ): Promise<SourceMapCounts | undefined> => {
    if (client === null) return undefined;
    if (hasChanged) {
      await client.read();
      read.maps.mapper.clear();
    }
    return storeClient(db, client, limits, now(), room);
  },

  /** Stores the files of the served clients. @param maxBytes of all stored files. */
  storeClientFiles: (
    { db, room, now }: StoreContext,
    folders: readonly ServedFolder[],
    maxBytes: number,
  ): Promise<ClientFileCounts> => storeFiles(db, folders, maxBytes, now(), room),

  /** Returns the content of a stored file by its path below its client. */
  clientFile: ({ db }: StoreContext, path: string): Promise<StoredContent | undefined> =>
    readContent(db, path),

  deleteUnservedFiles: ({ db, room }: StoreContext, maxAgeMs: number, nowMs: number): Promise<void> =>
    deleteUnserved(db, maxAgeMs, nowMs, room),

  /** Deletes rows older than `maxAgeMs`, then the oldest until the rest fits `maxBytes`; counters stay. */
  retain: async (context: StoreContext, limits: RetentionLimits, nowMs: number): Promise<Retained> => {
    let retained: Retained | undefined;
    try {
      const onEarly = (rows: number): void => context.evictions.count(rows, context.now());
      const work = () => retain(context, limits, nowMs, onEarly);
      return (retained = await context.retaining.run(work));
    } finally {
      // A retention with a failed step has deleted rows, too.
      context.cache.clear();
      // Deleted rows stay readable in SQLite's write-ahead log until it is written back and truncated.
      if (context.flavor === 'sqlite' && (retained === undefined || hasDeleted(retained)))
        await sql`pragma wal_checkpoint(truncate)`.execute(context.db);
    }
  },

  agesMeasuredMs,
  saveAgesMeasured,

  claimAlerts: (context: StoreContext, target: string) => claimAlerts(context, target, context.read.alerts),
  settleAlert,
  alertStates,
  dropOtherTargets: (context: StoreContext) => dropOtherTargets(context, context.read.alerts),
};

type Procedures = typeof PROCEDURES;
export type ProcedureName = keyof Procedures;

export type ProcedureArguments<P extends ProcedureName> = Procedures[P] extends (
  context: StoreContext,
  ...args: infer Arguments
) => unknown
  ? Arguments
  : never;

export type ProcedureResult<P extends ProcedureName> = Awaited<ReturnType<Procedures[P]>>;
