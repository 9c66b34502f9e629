import type { Spool } from '../spool/spool.ts';
import type { Cursors } from '../spool/protocol/spool-messages.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';

/** Most fresh envelopes in memory: enough that a sink which keeps up never reads from the disk. */
const MAX_FRESH = 1_024;
const MAX_FRESH_BYTES = 4 * 2 ** 20;
/** Weights of the classes for reading and sending (protocol 3.2). */
const WEIGHTS: readonly number[] = [5, 4, 3, 2, 1];
/** Most envelopes of one read from the disk: rows by class, and bytes of all. */
const READ_ROWS = WEIGHTS.map((weight) => 16 * weight);
const READ_BYTES = 2 * 2 ** 20;
/** Rows in memory below which the next ones are read. */
const LOW_WATER = 64;
/** Most envelopes in memory whose last delivery failed, while the sink fails. */
const MAX_FAILED = 4;
/** Fresh envelopes that are sent between two of the backlog. */
const FRESH_PER_BACKLOG = 4;

/** Selects the envelopes of one dispatcher. */
export interface EnvelopeFilter {
  /** The sink's bit in `pending`. */
  readonly bit: number;
  /** Canonical DSN, or null for all projects. */
  readonly project: string | null;
}

/**
 * Queues the envelopes of one dispatcher: fresh ones, passed on in memory after their commit, and the backlog, read from
 * the disk by class. Fresh envelopes do not wait for the backlog.
 *
 * `#activeIds` holds every envelope in memory or in flight until its settlement is on the disk; reads skip these.
 */
export class DispatchQueue {
  readonly #spool: Pick<Spool, 'readyEnvelopes'>;
  readonly #filter: EnvelopeFilter;
  readonly #activeIds = new Set<number>();
  /** Envelopes erased while in flight: they are not queued again. */
  readonly #erasedIds = new Set<number>();
  #fresh: QueuedEnvelope[] = [];
  /** Index of the next fresh envelope. */
  #freshAt = 0;
  #freshBytes = 0;
  #freshInRow = 0;
  #failed: QueuedEnvelope[] = [];
  #backlog: QueuedEnvelope[] = [];
  #cursors: Cursors = [0, 0, 0, 0, 0];
  /** Highest ID that may be on the disk without being in memory. */
  #untilId = 0;
  #lastId = 0;

  constructor(spool: Pick<Spool, 'readyEnvelopes'>, filter: EnvelopeFilter) {
    this.#spool = spool;
    this.#filter = filter;
  }

  /** Whether to read the next envelopes from the disk. */
  get needsRead(): boolean {
    return this.#isBehind && this.#backlog.length < LOW_WATER;
  }

  /** Whether the backlog is empty, in memory and on the disk. */
  get isCaughtUp(): boolean {
    return this.#backlog.length === 0 && !this.#isBehind;
  }

  /** Number of envelopes in memory. */
  get size(): number {
    return this.#fresh.length - this.#freshAt + this.#backlog.length + this.#failed.length;
  }

  get hasBacklog(): boolean {
    return this.#backlog.length > 0;
  }

  /** Adds envelopes that were just committed. @param mayBuffer false leaves them on the disk, as backlog. */
  offer(envelopes: readonly QueuedEnvelope[], mayBuffer: boolean): void {
    for (const envelope of envelopes) {
      const { id, pending, project } = envelope;
      this.#lastId = id;
      if ((pending & this.#filter.bit) === 0) continue;
      if (this.#filter.project !== null && this.#filter.project !== project) continue;
      if (mayBuffer && this.#hasRoom()) {
        this.#fresh.push(envelope);
        this.#freshBytes += envelope.items.length;
        this.#activeIds.add(id);
      } else {
        this.#untilId = id;
      }
    }
  }

  /** Announces envelopes on the disk, up to this ID, that were not offered. */
  advance(lastId: number): void {
    this.#lastId = Math.max(this.#lastId, lastId);
    this.#untilId = Math.max(this.#untilId, lastId);
  }

  /** Removes and returns the next envelopes: at most `max`, from the backlog, from the others, or from both. */
  dequeue(max: number, from: 'backlog' | 'fresh' | 'both'): readonly QueuedEnvelope[] {
    const batch: QueuedEnvelope[] = [];
    while (batch.length < max) {
      const next = from === 'backlog' ? this.#backlog.shift() : this.#next(from === 'both');
      if (next === undefined) break;
      batch.push(next);
    }
    return batch;
  }

  /** Puts an envelope back, at the end, after a failed delivery. */
  requeue(envelope: QueuedEnvelope): void {
    if (this.#erasedIds.has(envelope.id)) this.release(envelope.id);
    else this.#failed.push(envelope);
  }

  /** Forgets an envelope: its settlement is on the disk, or it is to be read again after {@link rewind}. */
  release(id: number): void {
    this.#activeIds.delete(id);
    this.#erasedIds.delete(id);
  }

  /** Removes envelopes that an operator erased from the disk. */
  forget(ids: ReadonlySet<number>): void {
    const fresh = this.#fresh.slice(this.#freshAt);
    for (const { id } of [...fresh, ...this.#failed, ...this.#backlog])
      if (ids.has(id)) this.#activeIds.delete(id);
    // The active ones that are left are in flight.
    for (const id of ids) if (this.#activeIds.has(id)) this.#erasedIds.add(id);
    const isLeft = ({ id }: QueuedEnvelope): boolean => !ids.has(id);
    this.#fresh = fresh.filter(isLeft);
    this.#freshAt = 0;
    this.#freshBytes = this.#fresh.reduce((bytes, { items }) => bytes + items.length, 0);
    this.#failed = this.#failed.filter(isLeft);
    this.#backlog = this.#backlog.filter(isLeft);
  }

  /**
   * Drops the envelopes in memory that are not in flight: the sink fails, so they become backlog on the disk. The last
   * failed envelopes stay in memory behind the others, so that each probe uses another one: a poison envelope must not be
   * used for every probe.
   */
  spill(): void {
    const failed = this.#failed.splice(0, Math.max(0, this.#failed.length - MAX_FAILED));
    const spilled = [...this.#fresh.slice(this.#freshAt), ...failed, ...this.#backlog];
    this.#fresh = [];
    this.#freshAt = 0;
    this.#freshBytes = 0;
    this.#backlog = [];
    for (const { id } of spilled) this.#activeIds.delete(id);
    if (spilled.length > 0) this.rewind(Math.min(...spilled.map(({ id }) => id)));
  }

  /** Makes the next reads start at `fromId`. */
  rewind(fromId: number): void {
    this.#cursors = this.#cursors.map((cursor) => Math.min(cursor, fromId - 1));
    this.#untilId = this.#lastId;
  }

  /** Reads the next envelopes from the disk. */
  async read(): Promise<void> {
    const before = this.#cursors;
    const { envelopes, cursors } = await this.#spool.readyEnvelopes({
      bit: this.#filter.bit,
      project: this.#filter.project,
      cursors: before,
      untilId: this.#untilId,
      limits: READ_ROWS,
      maxBytes: READ_BYTES,
    });
    // A rewind during the read wins; the next read then skips the envelopes of this one.
    if (this.#cursors === before) this.#cursors = cursors;
    const inactive = envelopes.filter(({ id }) => !this.#activeIds.has(id));
    for (const { id } of inactive) this.#activeIds.add(id);
    this.#backlog = [...this.#backlog, ...interleave(inactive)];
  }

  get #isBehind(): boolean {
    return this.#cursors.some((cursor) => cursor < this.#untilId);
  }

  #hasRoom(): boolean {
    return this.#fresh.length - this.#freshAt < MAX_FRESH && this.#freshBytes < MAX_FRESH_BYTES;
  }

  #next(withBacklog: boolean): QueuedEnvelope | undefined {
    const isBacklogsTurn = this.#freshInRow >= FRESH_PER_BACKLOG || this.#freshAt === this.#fresh.length;
    if (isBacklogsTurn) {
      this.#freshInRow = 0;
      const next = (withBacklog ? this.#backlog.shift() : undefined) ?? this.#failed.shift();
      if (next !== undefined) return next;
    }
    return this.#nextFresh();
  }

  #nextFresh(): QueuedEnvelope | undefined {
    const next = this.#fresh[this.#freshAt];
    if (next === undefined) return undefined;
    this.#freshAt += 1;
    this.#freshInRow += 1;
    this.#freshBytes -= next.items.length;
    // Sent envelopes are cut off many at a time: `shift` on a long array would move all of it each time.
    if (this.#freshAt === this.#fresh.length || this.#freshAt === MAX_FRESH) {
      this.#fresh = this.#fresh.slice(this.#freshAt);
      this.#freshAt = 0;
    }
    return next;
  }
}

/** Mixes the classes by their weights; within a class the oldest envelope comes first. */
function interleave(envelopes: readonly QueuedEnvelope[]): readonly QueuedEnvelope[] {
  const classes = WEIGHTS.map((_, rank) => envelopes.filter((envelope) => envelope.class === rank));
  const mixed: QueuedEnvelope[] = [];
  while (mixed.length < envelopes.length) {
    for (const [rank, weight] of WEIGHTS.entries()) mixed.push(...(classes[rank]?.splice(0, weight) ?? []));
  }
  return mixed;
}
