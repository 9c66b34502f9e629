import { setTimeout as delay } from 'node:timers/promises';
import { quantitiesOf } from '../envelope/quantities.ts';
import { type Append, type Appended, Appends, compressed, MAX_BATCH_BYTES, rowOf } from './append.ts';
import { GroupCommit } from './group-commit.ts';
import { UpstreamRateLimits } from './upstream-rate-limits.ts';
import { PendingWrites, type Taken } from './pending-writes.ts';
import type { Delivery } from './protocol/packed-deliveries.ts';
import { buffersOf, envelopeOf, pack, unpack } from './protocol/packed-envelopes.ts';
import {
  type Claim,
  type Cursors,
  type GrowingCall,
  type MalformedBody,
  type ProjectLimits,
  type SettledEnvelope,
  type SpoolCall,
  type SpoolCalls,
  type SpoolWorkerData,
} from './protocol/spool-messages.ts';
import { NO_READER, type SpoolEvents, type SpoolReader } from './spool-listeners.ts';
import { monotonicNowMs } from '../time/monotonic-clock.ts';
import { SpoolThread, SpoolUnavailable } from './spool-thread.ts';
import { GZIP_ABOVE_BYTES, type NewEnvelope, type QueuedEnvelope } from '../sink/queued-envelope.ts';

/**
 * The durable queue between intake and the sinks.
 *
 * An append resolves only once its envelope is committed and fsynced; all appends that wait while one commit is
 * on its way go into the next (group commit), so that throughput does not depend on the disk's latency.
 *
 * States: opening -> open -> (recovering -> open)* -> closed. While recovering, because the thread died, new appends
 * are rejected at once, those that wait go into the first commit after it, and nothing is acknowledged before that.
 */

/** Pause before a dead thread is started again, and before a failed commit is tried again. */
const RETRY_PAUSE_MS = 100;
/** How long a close may wait for the last commit. */
const CLOSE_MS = 2_000;

export class Spool {
  readonly #data: SpoolWorkerData;
  readonly #events: SpoolEvents;
  readonly #limits = new UpstreamRateLimits();
  readonly #gathering = new GroupCommit();
  readonly #open = new PendingWrites();
  readonly #appends = new Appends();
  /** One commit at a time is under way, so that one piece of memory carries them all. */
  readonly #shared = new Uint8Array(new SharedArrayBuffer(MAX_BATCH_BYTES));
  #thread: SpoolThread | undefined;
  #reader: SpoolReader = NO_READER;
  #fill = 0;
  #lastId = 0;
  #identity = 0;
  #commit: Promise<void> | undefined;
  #isClosed = false;

  private constructor(data: SpoolWorkerData, events: SpoolEvents) {
    this.#data = data;
    this.#events = events;
  }

  /**
   * Opens the spool in its own thread.
   *
   * @throws when another process has the directory or it cannot be written; the message says which.
   */
  static async open(data: SpoolWorkerData, events: SpoolEvents): Promise<Spool> {
    const spool = new Spool(data, events);
    await spool.#start();
    return spool;
  }

  /** Whether an append can succeed now, as far as is known without trying. */
  get isWritable(): boolean {
    return this.#thread !== undefined && !this.#isClosed;
  }

  /** Envelopes that wait for their commit; right after one, as many as waited when it ended. */
  get waiting(): number {
    return Math.max(this.#appends.rows, this.#gathering.senders);
  }

  /** Share of the cap that is used, 0 to 1, as of the last commit. */
  get fill(): number {
    return this.#fill;
  }

  /** What this spool goes by; another one when its file was made anew, or has lost rows. */
  get identity(): number {
    return this.#identity;
  }

  /** Rate limits of the upstreams, kept over restarts. */
  get limits(): Pick<UpstreamRateLimits, 'of'> {
    return this.#limits;
  }

  /** Tells `reader` what comes and goes from now on; what lies here already it hears of at once. */
  attach(reader: SpoolReader): void {
    this.#reader = reader;
    reader.grown(this.#lastId);
  }

  /**
   * Commits an envelope. Rejects with {@link SpoolUnavailable} when it is not on the disk: full, closed, thread dead,
   * or too much waits already.
   */
  append(envelope: NewEnvelope): Promise<Appended> {
    const bytes = envelope.header.length + envelope.items.length;
    if (!this.#appends.hasRoomFor(bytes)) {
      return Promise.reject(new SpoolUnavailable('busy', 'too many envelopes wait for the disk'));
    }
    return new Promise((resolve, reject) => {
      const append = { envelope, gzipped: null, steadyAtMs: monotonicNowMs(), bytes, resolve, reject };
      this.#appends.begin(append);
      if (bytes <= GZIP_ABOVE_BYTES) {
        this.#enqueue(append);
        return;
      }
      compressed(envelope).then(
        (gzipped) => this.#enqueue({ ...append, gzipped }),
        (error: unknown) => this.#appends.refuse(append, error),
      );
    });
  }

  /** Notes that sinks took an envelope; written with the next commit, deleted when all sinks are done. */
  deliver(delivery: Delivery): void {
    this.#open.deliver(delivery);
    this.#schedule();
  }

  /** Notes that something else became of an envelope at a sink. */
  settle(settled: SettledEnvelope): void {
    this.#open.settle(settled);
    this.#schedule();
  }

  /** Counts an envelope that was answered 200 though nobody wants it. */
  countUnwanted(): void {
    this.#open.unwanted(1);
    this.#schedule();
  }

  /** Counts the items of an envelope that was refused because its sender was above its quota. */
  countThrottled(project: string, items: Uint8Array): void {
    for (const quantity of quantitiesOf(items, 'without spans'))
      this.#open.refuse({ project, reason: 'backpressure', ...quantity });
    this.#schedule();
  }

  /** Keeps a body that is no envelope among the dead letters. */
  keepMalformed(body: MalformedBody): void {
    this.#open.malformed(body);
    this.#schedule();
  }

  /** Keeps rate limits an upstream told. */
  keepLimits(limits: ProjectLimits): void {
    this.#limits.add(limits);
    this.#open.limit(limits);
    this.#schedule();
  }

  /** The next envelopes of a lane, oldest of each class first, and where the lane then stands. */
  async claim(
    claim: Claim,
  ): Promise<{ readonly envelopes: readonly QueuedEnvelope[]; readonly cursors: Cursors }> {
    const { envelopes, cursors, corrupt } = await this.ask('claim', claim);
    if (corrupt.length > 0) this.#events.onCorrupt(corrupt);
    return { envelopes: unpack(envelopes).map(envelopeOf), cursors };
  }

  /** Has the spool's thread do something else: counts, dead letters, upkeep. */
  async ask<C extends Exclude<SpoolCall, 'commit' | 'close' | GrowingCall>>(
    call: C,
    work: SpoolCalls[C]['work'],
  ): Promise<SpoolCalls[C]['reply']> {
    return this.#running().ask(call, work);
  }

  /** The same for what puts envelopes in that were not appended: a client report, a dead letter sent again. */
  async askAndGrow<C extends GrowingCall>(
    call: C,
    work: SpoolCalls[C]['work'],
  ): Promise<SpoolCalls[C]['reply']> {
    const reply = await this.#running().ask(call, work);
    this.#grew(reply.lastId);
    return reply;
  }

  /** Resolves once what waits now is committed, or could not be. */
  async flush(): Promise<void> {
    while (this.#commit !== undefined) await this.#commit;
  }

  /** Commits what waits, for as long as it may take, then gives the file back. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    // A disk that takes nothing now will not in a second either; what waits is then delivered twice, not lost.
    await Promise.race([this.flush(), delay(CLOSE_MS, undefined, { ref: false })]);
    this.#isClosed = true;
    await this.#thread?.ask('close', null);
  }

  async #start(): Promise<void> {
    const { thread, opened } = await SpoolThread.start(this.#data, (cause) => void this.#recover(cause));
    if (this.#isClosed) {
      await thread.ask('close', null);
      return;
    }
    this.#thread = thread;
    this.#fill = opened.fill;
    this.#identity = opened.identity;
    for (const limits of opened.limits) this.#limits.add(limits);
    if (opened.lost > 0) this.#events.onLost(opened.lost);
    // Envelopes may be among them whose commit was never confirmed, because the thread died after it.
    this.#grew(opened.lastId);
  }

  #grew(lastId: number): void {
    this.#lastId = Math.max(this.#lastId, lastId);
    this.#reader.grown(this.#lastId);
  }

  async #recover(cause: Error): Promise<void> {
    this.#thread = undefined;
    this.#events.onThreadDeath(cause);
    while (!this.#isClosed && this.#thread === undefined) {
      await delay(RETRY_PAUSE_MS);
      await this.#start().catch(this.#events.onThreadDeath);
    }
    this.#schedule();
  }

  #running(): SpoolThread {
    if (this.#thread === undefined)
      throw new SpoolUnavailable('error', 'the spool thread is being restarted');
    return this.#thread;
  }

  /** Something waits: starts the next commit once those who send together have sent. */
  #schedule(): void {
    const waiting = { appends: this.#appends.queued, notes: this.#open.size };
    this.#gathering.came(waiting);
    if (this.#commit !== undefined || this.#thread === undefined || this.#isClosed) return;
    if (waiting.appends + waiting.notes === 0) return;
    this.#commit = this.#gathering
      .begin(waiting)
      .then(() => this.#commitWaiting())
      .finally(() => {
        this.#commit = undefined;
        this.#schedule();
      });
  }

  async #commitWaiting(): Promise<void> {
    const appends = this.#appends.take();
    const taken = this.#open.take();
    try {
      const packed = pack(appends.map(rowOf), this.#shared);
      const work = { ...taken.work, appends: packed };
      const committed = await this.#running().ask('commit', work, buffersOf(packed));
      this.#fill = committed.fill;
      for (const fault of committed.faults) this.#events.onFault(fault);
      this.#gathering.ended(this.#appends.rows);
      const fresh = this.#appends.answer(appends, committed.ids);
      this.#lastId = Math.max(this.#lastId, fresh.at(-1)?.id ?? 0);
      if (fresh.length > 0) this.#reader.appended(fresh);
      this.#confirm(taken);
    } catch (error) {
      for (const append of appends) this.#appends.refuse(append, error);
      this.#open.putBack(taken);
      await delay(RETRY_PAUSE_MS);
    }
  }

  #enqueue(append: Append): void {
    if (!this.isWritable) {
      this.#appends.refuse(append, new SpoolUnavailable('closed', 'the spool is not open'));
      return;
    }
    this.#appends.enqueue(append);
    this.#schedule();
  }

  #confirm({ deliveries, work }: Taken): void {
    if (deliveries.length > 0) this.#reader.settled(deliveries);
    if (work.settled.length > 0) this.#reader.settled(work.settled);
  }
}
