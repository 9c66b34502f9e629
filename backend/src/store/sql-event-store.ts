import { sql } from 'kysely';
import type { EventDetail, EventList, FindAnswer, IssueAnswer, IssueList } from '../contract/console-api.ts';
import type { Settlement } from '../relay/sink.ts';
import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';
import { EventStore, type Retained, type RetentionLimits, type StoredSession } from './event-store.ts';
import { eventIdOf } from './ingest/feedback.ts';
import { ingest, type OnFault } from './ingest/ingest.ts';
import type { ReadOptions } from './ingest/read-envelope.ts';
import { migrate } from './migrations/migrate.ts';
import { eventById, listEvents } from './queries/events.ts';
import { find } from './queries/find.ts';
import { answerOf } from './queries/issue-answer.ts';
import { listIssues } from './queries/issue-rows.ts';
import { oneIssue } from './queries/look-up.ts';
import { retain } from './retention.ts';
import type { StoreDatabase } from './schema.ts';
import { deleteSession, findSession, saveSession, touchSession } from './sessions.ts';
import { ownProjectKey } from './settings.ts';
import { packForStore, type PackedEnvelopes, unpackForStore } from './store-envelope.ts';

/** Longest page of a list. */
const MAX_PAGE = 200;

export interface SqlEventStoreOptions {
  readonly read: ReadOptions;
  readonly onFault: OnFault;
  readonly now: () => number;
}

/**
 * The store over either database, by the same queries. Lives in the store's thread: a look-up of the embedded
 * database is synchronous.
 *
 * Opens lazily: with its database away it settles all with `retry` and rejects look-ups, until one comes through.
 */
export class SqlEventStore extends EventStore {
  readonly #database: StoreDatabase;
  readonly #options: SqlEventStoreOptions;
  #migrated: Promise<void> | null = null;

  constructor(database: StoreDatabase, options: SqlEventStoreOptions) {
    super();
    this.#database = database;
    this.#options = options;
  }

  override ingest(batch: readonly SpooledEnvelope[]): Promise<readonly Settlement[]> {
    return this.take(packForStore(batch));
  }

  /** {@link ingest} of envelopes that were packed on their way into the thread. */
  async take(packed: PackedEnvelopes): Promise<readonly Settlement[]> {
    const { read, onFault } = this.#options;
    const batch = unpackForStore(packed);
    try {
      this.#database.needRoom?.();
      return await ingest(await this.#ready(), batch, read, onFault);
    } catch (error) {
      onFault(error);
      return batch.map(() => ({
        outcome: 'retry',
        reason: 'store_unreachable',
        retryAfterMs: null,
        blame: 'sink',
      }));
    }
  }

  override async ownProjectKey(): Promise<string> {
    return ownProjectKey(await this.#ready());
  }

  override async find(query: string): Promise<FindAnswer> {
    return find(await this.#ready(), query);
  }

  override async issues(limit: number, cursor: string | null): Promise<IssueList> {
    return listIssues(await this.#ready(), pageSize(limit), cursor);
  }

  override async issue(digest: string): Promise<IssueAnswer | undefined> {
    const db = await this.#ready();
    const issue = await oneIssue(db, digest);
    return issue === undefined ? undefined : answerOf(db, issue, this.#options.now());
  }

  override async issueEvents(
    digest: string,
    limit: number,
    cursor: string | null,
  ): Promise<EventList | undefined> {
    const db = await this.#ready();
    const issue = await oneIssue(db, digest);
    return issue === undefined ? undefined : listEvents(db, issue.id, pageSize(limit), cursor);
  }

  override async event(eventId: string): Promise<EventDetail | undefined> {
    const id = eventIdOf(eventId);
    return id === null ? undefined : eventById(await this.#ready(), id);
  }

  override async saveSession(session: StoredSession): Promise<void> {
    return saveSession(await this.#ready(), session);
  }

  override async session(tokenHash: string): Promise<StoredSession | undefined> {
    return findSession(await this.#ready(), tokenHash);
  }

  override async touchSession(tokenHash: string, lastSeenAtMs: number): Promise<void> {
    return touchSession(await this.#ready(), tokenHash, lastSeenAtMs);
  }

  override async deleteSession(tokenHash: string): Promise<void> {
    return deleteSession(await this.#ready(), tokenHash);
  }

  override async retain(limits: RetentionLimits, nowMs: number): Promise<Retained> {
    const db = await this.#ready();
    const retained = await retain(db, limits, nowMs);
    // What was deleted still stands in the log of the file until that is written back and cut.
    if (this.#database.flavor === 'sqlite' && retained.events > 0) {
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
    }
    return retained;
  }

  override async close(): Promise<void> {
    await this.#database.db.destroy();
  }

  /** Migrates once; after a failure the next call tries again. */
  async #ready(): Promise<StoreDatabase['db']> {
    const { db, flavor } = this.#database;
    this.#migrated ??= migrate(db, flavor);
    try {
      await this.#migrated;
      return db;
    } catch (error) {
      this.#migrated = null;
      throw error;
    }
  }
}

function pageSize(limit: number): number {
  return Math.min(Math.max(1, Math.trunc(limit)), MAX_PAGE);
}
