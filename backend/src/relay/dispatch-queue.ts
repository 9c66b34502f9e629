import type { Spool } from '../spool/spool.ts';
import type { Cursors } from '../spool/protocol/spool-messages.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';

/** What may wait in memory, so that a sink that keeps up never reads from the disk. */
const MAX_FRESH = 1_024;
const MAX_FRESH_BYTES = 4 * 2 ** 20;
/** Weights of the classes, in which they are read from the disk and go out (protocol 3.2). */
const WEIGHTS: readonly number[] = [5, 4, 3, 2, 1];
/** What one look at the disk takes into memory: rows by class, bytes of all. */
const CLAIM_ROWS = WEIGHTS.map((weight) => 16 * weight);
const CLAIM_BYTES = 2 * 2 ** 20;
/** Below so many rows in memory the next ones are read. */
const LOW_WATER = 64;
/** Envelopes in memory that failed last, while their sink fails. */
const MAX_AGAIN = 4;
/** So many fresh envelopes go before one of the backlog. */
const FRESH_PER_BACKLOG = 4;

/** Which envelopes are a lane's. */
export interface LaneShare {
  /** The sink's bit in `pending`. */
  readonly bit: number;
  /** Only this project's envelopes, or null for all. */
  readonly project: string | null;
}

/**
 * What one lane has to bring on: the fresh ones, handed over in memory when they were committed, and the backlog, read
 * from the disk by class. Two lanes in one: what comes now never waits behind what waits already.
 *
 * Every envelope in memory or on its way is in `#taken`, until its settlement is on the disk: a look at the disk then
 * passes it over.
 */
export class DispatchQueue {
  readonly #spool: Pick<Spool, 'readyEnvelopes'>;
  readonly #share: LaneShare;
  readonly #taken = new Set<number>();
  /** On their way while they were erased: they do not come back. */
  readonly #erased = new Set<number>();
  #fresh: QueuedEnvelope[] = [];
  #freshAt = 0;
  #freshBytes = 0;
  #freshInRow = 0;
  #again: QueuedEnvelope[] = [];
  #backlog: QueuedEnvelope[] = [];
  #cursors: Cursors = [0, 0, 0, 0, 0];
  #untilId = 0;
  #lastId = 0;

  constructor(spool: Pick<Spool, 'readyEnvelopes'>, share: LaneShare) {
    this.#spool = spool;
    this.#share = share;
  }

  /** Whether to read on from the disk. */
  get wantsClaim(): boolean {
    return this.#isBehind && this.#backlog.length < LOW_WATER;
  }

  /** Whether the backlog is empty, in memory and on the disk. */
  get isCaughtUp(): boolean {
    return this.#backlog.length === 0 && !this.#isBehind;
  }

  /** Envelopes in memory. */
  get size(): number {
    return this.#fresh.length - this.#freshAt + this.#backlog.length + this.#again.length;
  }

  get hasBacklog(): boolean {
    return this.#backlog.length > 0;
  }

  /** Envelopes were committed. @param isOpen whether they may wait in memory; else they are backlog. */
  offer(envelopes: readonly QueuedEnvelope[], isOpen: boolean): void {
    for (const envelope of envelopes) {
      const { id, pending, project } = envelope;
      this.#lastId = id;
      if ((pending & this.#share.bit) === 0) continue;
      if (this.#share.project !== null && this.#share.project !== project) continue;
      if (isOpen && this.#hasRoom()) {
        this.#fresh.push(envelope);
        this.#freshBytes += envelope.items.length;
        this.#taken.add(id);
      } else {
        this.#untilId = id;
      }
    }
  }

  /** There may be envelopes up to this id that were not offered. */
  grow(lastId: number): void {
    this.#lastId = Math.max(this.#lastId, lastId);
    this.#untilId = Math.max(this.#untilId, lastId);
  }

  /** The next envelopes, `max` at most: of the backlog alone, of the others alone, or both mixed. */
  take(max: number, from: 'backlog' | 'fresh' | 'both'): readonly QueuedEnvelope[] {
    const batch: QueuedEnvelope[] = [];
    while (batch.length < max) {
      const next = from === 'backlog' ? this.#backlog.shift() : this.#next(from === 'both');
      if (next === undefined) break;
      batch.push(next);
    }
    return batch;
  }

  /** An envelope was not taken and goes to the end. */
  putBack(envelope: QueuedEnvelope): void {
    if (this.#erased.has(envelope.id)) this.release(envelope.id);
    else this.#again.push(envelope);
  }

  /** Lets go of an envelope: its settlement is on the disk, or it is to be found there again after {@link rewind}. */
  release(id: number): void {
    this.#taken.delete(id);
    this.#erased.delete(id);
  }

  /** These envelopes are no longer on the disk, as somebody had them erased. */
  forget(ids: ReadonlySet<number>): void {
    const fresh = this.#fresh.slice(this.#freshAt);
    for (const { id } of [...fresh, ...this.#again, ...this.#backlog])
      if (ids.has(id)) this.#taken.delete(id);
    // What is still taken is on its way.
    for (const id of ids) if (this.#taken.has(id)) this.#erased.add(id);
    const isLeft = ({ id }: QueuedEnvelope): boolean => !ids.has(id);
    this.#fresh = fresh.filter(isLeft);
    this.#freshAt = 0;
    this.#freshBytes = this.#fresh.reduce((bytes, { items }) => bytes + items.length, 0);
    this.#again = this.#again.filter(isLeft);
    this.#backlog = this.#backlog.filter(isLeft);
  }

  /**
   * Leaves to the disk what is not under way: the sink fails, and what it misses is backlog. Those it failed on last
   * stay behind the others, so that a probe takes another one: an envelope that no sink can stomach must not be
   * what every probe is made with.
   */
  spill(): void {
    const again = this.#again.splice(0, Math.max(0, this.#again.length - MAX_AGAIN));
    const left = [...this.#fresh.slice(this.#freshAt), ...again, ...this.#backlog];
    this.#fresh = [];
    this.#freshAt = 0;
    this.#freshBytes = 0;
    this.#backlog = [];
    for (const { id } of left) this.#taken.delete(id);
    if (left.length > 0) this.rewind(Math.min(...left.map(({ id }) => id)));
  }

  /** Looks again at everything on the disk from `fromId` on. */
  rewind(fromId: number): void {
    this.#cursors = this.#cursors.map((cursor) => Math.min(cursor, fromId - 1));
    this.#untilId = this.#lastId;
  }

  /** Reads on from the disk. */
  async claim(): Promise<void> {
    const asked = this.#cursors;
    const { envelopes, cursors } = await this.#spool.readyEnvelopes({
      bit: this.#share.bit,
      project: this.#share.project,
      cursors: asked,
      untilId: this.#untilId,
      limits: CLAIM_ROWS,
      maxBytes: CLAIM_BYTES,
    });
    // Rewound meanwhile: the earlier place holds, what is here already is passed over then.
    if (this.#cursors === asked) this.#cursors = cursors;
    const news = envelopes.filter(({ id }) => !this.#taken.has(id));
    for (const { id } of news) this.#taken.add(id);
    this.#backlog = [...this.#backlog, ...weighted(news)];
  }

  get #isBehind(): boolean {
    return this.#cursors.some((cursor) => cursor < this.#untilId);
  }

  #hasRoom(): boolean {
    return this.#fresh.length - this.#freshAt < MAX_FRESH && this.#freshBytes < MAX_FRESH_BYTES;
  }

  #next(takesBacklog: boolean): QueuedEnvelope | undefined {
    const isBacklogsTurn = this.#freshInRow >= FRESH_PER_BACKLOG || this.#freshAt === this.#fresh.length;
    if (isBacklogsTurn) {
      this.#freshInRow = 0;
      const next = (takesBacklog ? this.#backlog.shift() : undefined) ?? this.#again.shift();
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
    // Cut off in large pieces: shifting a long array for each envelope moves it all.
    if (this.#freshAt === this.#fresh.length || this.#freshAt === MAX_FRESH) {
      this.#fresh = this.#fresh.slice(this.#freshAt);
      this.#freshAt = 0;
    }
    return next;
  }
}

/** Rows sorted by class, mixed by the weights of the classes; in each class the oldest first. */
function weighted(envelopes: readonly QueuedEnvelope[]): readonly QueuedEnvelope[] {
  const classes = WEIGHTS.map((_, rank) => envelopes.filter((envelope) => envelope.class === rank));
  const mixed: QueuedEnvelope[] = [];
  while (mixed.length < envelopes.length) {
    for (const [rank, weight] of WEIGHTS.entries()) mixed.push(...(classes[rank]?.splice(0, weight) ?? []));
  }
  return mixed;
}
