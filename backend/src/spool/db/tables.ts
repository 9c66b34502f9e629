import type { TypedDatabase } from '../../sqlite/typed-database.ts';
import { isDamage, isFull } from '../../sqlite/database-file.ts';
import { unpackDeliveries } from '../protocol/packed-deliveries.ts';
import type { CommitWork, Committed, ProjectDiscard, SpoolLimits } from '../protocol/spool-messages.ts';
import { DeadLetters } from './dead-letters.ts';
import { Dedup } from './dedup.ts';
import { Discards } from './discards.ts';
import { EnvelopeTable } from './envelope-table.ts';
import { Eviction } from './eviction.ts';
import { Ledger } from './ledger.ts';
import { LostEvents } from './lost-events.ts';
import { Projects } from './projects.ts';
import { RateLimitTable } from './rate-limit-table.ts';
import { Sequence } from './sequence.ts';
import { Settlements } from './settlements.ts';
import { Quota } from './quota.ts';

/** There is no room to write; the transaction was rolled back. */
export class SpoolFull extends Error {
  constructor(cause?: unknown) {
    super('spool is full', { cause });
    this.name = 'SpoolFull';
  }
}

/** State in memory that a transaction changes, beside its rows. */
interface Participant {
  /** Writes what it has collected; called at the end of the transaction. */
  flush?(nowMs: number): void;
  /** Accepts its changes; called after the commit. */
  commit?(): void;
  /** Discards its changes; called after a rollback. */
  rollback?(): void;
  /** Called before a step of the transaction. @returns discards the changes since then; called if the step fails. */
  mark?(): () => void;
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
  readonly settlements: Settlements;
  readonly eviction: Eviction;
  readonly sequence: Sequence;
  readonly #database: TypedDatabase;
  /** All tables with state in memory. */
  readonly #participants: readonly Participant[];

  constructor(database: TypedDatabase, limits: SpoolLimits, watermarkPath: string) {
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
    this.settlements = new Settlements(database, this);
    this.eviction = new Eviction(database, this.quota, (id) => this.settlements.evict(id));
    this.sequence = new Sequence(database, watermarkPath);
    const { projects, quota, ledger, dedup, lostEvents, deadLetters, eviction, sequence } = this;
    this.#participants = [projects, quota, ledger, dedup, lostEvents, deadLetters, eviction, sequence];
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
      for (const participant of this.#participants) participant.flush?.(nowMs);
      this.#database.exec('COMMIT');
      for (const participant of this.#participants) participant.commit?.();
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      for (const participant of this.#participants) participant.rollback?.();
      throw isFull(error) ? new SpoolFull(error) : error;
    }
  }

  /**
   * Writes everything but the appends of a commit, in the current transaction.
   *
   * @returns messages of steps that failed because of a bug in Errata, as one such step must not block this commit and all
   * later ones; and the number of envelopes that left.
   */
  write(work: CommitWork, nowMs: number): Pick<Committed, 'faults' | 'freed'> {
    const { ledger, settlements, deadLetters, rateLimits } = this;
    const steps = [
      ...work.settled.map((settled) => () => settlements.settle(settled, nowMs)),
      ...work.discarded.map((discarded) => () => this.#countDiscarded(discarded)),
      ...work.malformed.map((body) => () => deadLetters.addMalformed(body, nowMs)),
      ...work.rateLimits.map((limits) => () => rateLimits.save(limits)),
    ];
    const faults = steps.map((step) => this.#attempt(step)).filter((fault) => fault !== undefined);
    settlements.settleDelivered(unpackDeliveries(work.delivered));
    const freed = ledger.ended;
    ledger.count('accepted', '', work.unwanted);
    ledger.count('dropped', 'no_upstream', work.unwanted);
    return { faults, freed };
  }

  /** Counts discarded items while their envelope still waits for one of the sinks that it settles for. */
  #countDiscarded({ project, reason, category, quantity, cutFrom }: ProjectDiscard): void {
    const pending = cutFrom === null ? 0 : (this.envelopes.state(cutFrom.id)?.pending ?? 0);
    if (cutFrom === null || (pending & cutFrom.bits) !== 0)
      this.discards.add(this.projects.id(project), reason, [{ category, quantity }]);
  }

  /**
   * Runs one step of the current transaction in a savepoint: all of it or nothing is written.
   *
   * @returns the message of the error that rolled it back.
   * @throws errors of the whole transaction: no room, a damaged file, or a transaction that SQLite has rolled back.
   */
  #attempt(step: () => void): string | undefined {
    const resets = this.#participants.map((participant) => participant.mark?.());
    this.#database.exec('SAVEPOINT step');
    try {
      step();
      this.#database.exec('RELEASE step');
      return undefined;
    } catch (error) {
      if (isFull(error) || isDamage(error) || !this.#database.isTransaction) throw error;
      this.#database.exec('ROLLBACK TO step; RELEASE step');
      for (const reset of resets) reset?.();
      return error instanceof Error ? error.message : String(error);
    }
  }
}
