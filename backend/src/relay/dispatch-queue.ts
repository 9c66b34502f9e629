import type { Spool } from '../spool/spool.ts';
import type { Cursors, ReadyQuery } from '../spool/protocol/spool-messages.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { FailedEnvelopes } from './failed-envelopes.ts';

/** Most fresh envelopes in memory: enough that a sink which keeps up never reads from the disk. */
const MAX_FRESH = 1_024;
const MAX_FRESH_BYTES = 4 * 2 ** 20;
/** Weights of the classes for reading and sending (protocol L1). */
const WEIGHTS: readonly number[] = [5, 4, 3, 2, 1];
/** Most envelopes of one read from the disk: rows by class, and bytes of all. */
const READ_ROWS = WEIGHTS.map((weight) => 16 * weight);
const READ_BYTES = 2 * 2 ** 20;
/** Rows in memory below which the next ones are read. */
const LOW_WATER = 64;
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
 * the disk by class. Fresh envelopes do not wait for the backlog. Failed ones stay on the disk and are read by their ID.
 *
 * `#activeIds` holds every envelope in memory or in flight until its settlement is on the disk; reads skip these.
 */
export class DispatchQueue {
  readonly #spool: Pick<Spool, 'readyEnvelopes'>;
  readonly #filter: EnvelopeFilter;
  readonly #failed: FailedEnvelopes;
  readonly #maySend: (envelope: QueuedEnvelope) => boolean;
  readonly #activeIds = new Set<number>();
  /** Envelopes erased while in flight: they are not queued again. */
  readonly #erasedIds = new Set<number>();
  #fresh: QueuedEnvelope[] = [];
  /** Index of the next fresh envelope. */
  #freshAt = 0;
  #freshBytes = 0;
  #freshInRow = 0;
  #backlog: QueuedEnvelope[] = [];
  #cursors: Cursors = [0, 0, 0, 0, 0];
  /** Highest ID that may be on the disk without being in memory. */
  #untilId = 0;
  #lastId = 0;

  /** @param maySend whether an envelope may be sent at present, so that it belongs into memory. */
  constructor(
    spool: Pick<Spool, 'readyEnvelopes'>,
    filter: EnvelopeFilter,
    failed: FailedEnvelopes,
    maySend: (envelope: QueuedEnvelope) => boolean,
  ) {
    this.#spool = spool;
    this.#filter = filter;
    this.#failed = failed;
    this.#maySend = maySend;
  }

  /** Whether untried envelopes may be on the disk that are not in memory. */
  get isBehind(): boolean {
    return this.#cursors.some((cursor) => cursor < this.#untilId);
  }

  /** Whether untried envelopes may wait, in memory or on the disk. */
  get isWaiting(): boolean {
    return this.size > 0 || this.isBehind;
  }

  /** Whether there is room in memory for envelopes from the disk. */
  get isLow(): boolean {
    return this.#backlog.length < LOW_WATER;
  }

  /** Whether the backlog is empty, in memory and on the disk, but for failed envelopes. */
  get isCaughtUp(): boolean {
    return this.#backlog.length === 0 && !this.isBehind;
  }

  /** Number of envelopes in memory. */
  get size(): number {
    return this.#fresh.length - this.#freshAt + this.#backlog.length;
  }

  /** Time of intake of the oldest envelope of the backlog in memory, wall clock. */
  get oldestReceivedAtMs(): number | undefined {
    const times = this.#backlog.map(({ receivedAtMs }) => receivedAtMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  get hasBacklog(): boolean {
    return this.#backlog.length > 0;
  }

  /**
   * Adds envelopes that were just committed. Those that may not be sent stay on the disk, as backlog.
   *
   * @returns how many of them are for this sink.
   */
  offer(envelopes: readonly QueuedEnvelope[]): number {
    let own = 0;
    for (const envelope of envelopes) {
      const { id, pending, project } = envelope;
      this.#lastId = id;
      if ((pending & this.#filter.bit) === 0) continue;
      if (this.#filter.project !== null && this.#filter.project !== project) continue;
      own += 1;
      if (this.#hasRoom() && this.#maySend(envelope)) {
        this.#fresh.push(envelope);
        this.#freshBytes += envelope.items.length;
        this.#activeIds.add(id);
      } else {
        this.#untilId = id;
      }
    }
    return own;
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

  /** Forgets an envelope: its settlement is on the disk, or it waits there to be read again. */
  release(id: number): void {
    this.#activeIds.delete(id);
    this.#erasedIds.delete(id);
  }

  /** Removes envelopes that an operator erased from the disk. */
  forget(ids: ReadonlySet<number>): void {
    const fresh = this.#fresh.slice(this.#freshAt);
    for (const { id } of [...fresh, ...this.#backlog]) if (ids.has(id)) this.#activeIds.delete(id);
    // The active ones that are left are in flight.
    for (const id of ids) {
      this.#failed.forget(id);
      if (this.#activeIds.has(id)) this.#erasedIds.add(id);
    }
    this.#keepAllBut(ids);
  }

  /**
   * Drops the envelopes in memory that are not in flight and may not be sent: the sink fails, so they become backlog on the
   * disk.
   */
  spill(): void {
    const fresh = this.#fresh.slice(this.#freshAt);
    const spilled = [...fresh, ...this.#backlog].filter((envelope) => !this.#maySend(envelope));
    this.#keepAllBut(new Set(spilled.map(({ id }) => id)));
    for (const { id } of spilled) {
      this.#activeIds.delete(id);
      if (this.#failed.has(id)) this.#failed.putBack(id);
      else this.rewind(id);
    }
  }

  /** Makes the next reads start at `fromId`. */
  rewind(fromId: number): void {
    this.#cursors = this.#cursors.map((cursor) => Math.min(cursor, fromId - 1));
    this.#untilId = this.#lastId;
  }

  /** Reads the next untried envelopes from the disk, the oldest of each class first. */
  async readOldest(): Promise<void> {
    const before = this.#cursors;
    const { cursors } = await this.#read({
      from: 'oldest',
      cursors: before,
      untilId: this.#untilId,
      except: this.#failed.ids(),
      limits: READ_ROWS,
      maxBytes: READ_BYTES,
    });
    this.#moveCursors(before, cursors);
  }

  /** Reads the newest untried envelope of the highest class from the disk. */
  async readNewest(): Promise<void> {
    const before = this.#cursors;
    const untilId = this.#untilId;
    const except = [...this.#failed.ids(), ...this.#activeIds];
    const { isEmpty } = await this.#read({ from: 'newest', untilId, except });
    if (isEmpty) {
      this.#moveCursors(
        before,
        before.map(() => untilId),
      );
    }
  }

  /** Reads one envelope from the disk. Returns whether it is still there. */
  async readOne(id: number): Promise<boolean> {
    const { isEmpty } = await this.#read({ from: 'id', id });
    return !isEmpty;
  }

  /** Reads envelopes into the backlog. */
  async #read(pick: ReadyQuery['pick']): Promise<{ readonly cursors: Cursors; readonly isEmpty: boolean }> {
    const { bit, project } = this.#filter;
    const { envelopes, cursors } = await this.#spool.readyEnvelopes({ bit, project, pick });
    const inactive = envelopes.filter(({ id }) => !this.#activeIds.has(id));
    for (const { id } of inactive) this.#activeIds.add(id);
    this.#backlog = [...this.#backlog, ...interleave(inactive)];
    return { cursors, isEmpty: envelopes.length === 0 };
  }

  /** Moves the cursors after a read; a rewind during the read wins. */
  #moveCursors(before: Cursors, after: Cursors): void {
    if (this.#cursors === before) this.#cursors = after;
  }

  #keepAllBut(ids: ReadonlySet<number>): void {
    const isLeft = ({ id }: QueuedEnvelope): boolean => !ids.has(id);
    this.#fresh = this.#fresh.slice(this.#freshAt).filter(isLeft);
    this.#freshAt = 0;
    this.#freshBytes = this.#fresh.reduce((bytes, { items }) => bytes + items.length, 0);
    this.#backlog = this.#backlog.filter(isLeft);
  }

  #hasRoom(): boolean {
    return this.#fresh.length - this.#freshAt < MAX_FRESH && this.#freshBytes < MAX_FRESH_BYTES;
  }

  #next(withBacklog: boolean): QueuedEnvelope | undefined {
    const isBacklogsTurn = this.#freshInRow >= FRESH_PER_BACKLOG || this.#freshAt === this.#fresh.length;
    if (isBacklogsTurn) {
      this.#freshInRow = 0;
      const next = withBacklog ? this.#backlog.shift() : undefined;
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
  const classes = WEIGHTS.map((_, envelopeClass) =>
    envelopes.filter((envelope) => envelope.class === envelopeClass),
  );
  const mixed: QueuedEnvelope[] = [];
  while (mixed.length < envelopes.length) {
    for (const [envelopeClass, weight] of WEIGHTS.entries())
      mixed.push(...(classes[envelopeClass]?.splice(0, weight) ?? []));
  }
  return mixed;
}
