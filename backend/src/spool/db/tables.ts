import type { DatabaseSync } from 'node:sqlite';
import { isDamage } from '../../sqlite/database-file.ts';
import type { SpoolLimits } from '../protocol/spool-messages.ts';
import { DeadLetters } from './dead-letters.ts';
import { Dedup } from './dedup.ts';
import { Discards } from './pending-client-reports.ts';
import { EnvelopeTable } from './envelope-table.ts';
import { Ledger } from './ledger.ts';
import { LostEvents } from './lost-events.ts';
import { Projects } from './projects.ts';
import { isFull } from './spool-schema.ts';
import { RateLimitTable } from './rate-limit-table.ts';
import { Quota } from './quota.ts';

/** There is no room to write; the transaction was rolled back. */
export class SpoolFull extends Error {
  constructor(cause?: unknown) {
    super('spool is full', { cause });
    this.name = 'SpoolFull';
  }
}

/** Opens the tables of the spool's file and runs the transactions that change them together. */
export class Tables {
  readonly projects: Projects;
  readonly quota: Quota;
  readonly envelopes: EnvelopeTable;
  readonly ledger: Ledger;
  readonly dedup: Dedup;
  readonly discards: Discards;
  readonly deadLetters: DeadLetters;
  readonly lostEvents: LostEvents;
  readonly rateLimits: RateLimitTable;
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync, limits: SpoolLimits) {
    this.#database = database;
    this.projects = new Projects(database);
    this.quota = new Quota(database, limits.maxBytes);
    this.envelopes = new EnvelopeTable(database, this.projects, this.quota);
    this.ledger = new Ledger(database);
    this.dedup = new Dedup(database, limits.dedup);
    this.discards = new Discards(database);
    this.lostEvents = new LostEvents(database);
    this.deadLetters = new DeadLetters(database, this.projects, this.lostEvents, limits.deadLetters);
    this.rateLimits = new RateLimitTable(database, this.projects);
  }

  /** Sets other limits from the next transaction on; the deduplication keeps its own. */
  limit({ maxBytes, deadLetters }: SpoolLimits): void {
    this.quota.maxBytes = maxBytes;
    this.deadLetters.limits = deadLetters;
  }

  /**
   * Runs `work` in one transaction and returns once it is fsynced. The state in memory beside the tables is committed
   * or rolled back with it.
   *
   * @throws SpoolFull when there is no room.
   */
  transact<T>(work: () => T, nowMs: number): T {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const result = work();
      this.ledger.flush();
      this.deadLetters.flush();
      this.lostEvents.flush();
      this.dedup.flush(nowMs);
      this.#database.exec('COMMIT');
      this.quota.commit();
      this.dedup.commit();
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.quota.rollback();
      this.dedup.rollback();
      this.projects.forget();
      throw isFull(error) ? new SpoolFull(error) : error;
    } finally {
      this.ledger.end();
    }
  }

  /**
   * Runs one step of the current transaction in a savepoint: all of it or nothing is written.
   *
   * @returns the message of the error that rolled it back.
   * @throws errors of the whole transaction: no room, a damaged file, or a transaction that SQLite has rolled back.
   */
  attempt(step: () => void): string | undefined {
    const quota = this.quota.mark();
    this.#database.exec('SAVEPOINT step');
    try {
      step();
      this.#database.exec('RELEASE step');
      return undefined;
    } catch (error) {
      if (isFull(error) || isDamage(error) || !this.#database.isTransaction) throw error;
      this.#database.exec('ROLLBACK TO step; RELEASE step');
      this.quota.reset(quota);
      return error instanceof Error ? error.message : String(error);
    }
  }
}
