/*
 * The durable queue between intake and the sinks, on the main thread: appends, group commit, rate limits. The tables
 * are in db/, in a worker thread. An append must never resolve before its envelope is committed and fsynced, and this
 * thread must never open the database file itself.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { quantitiesOf } from '../envelope/quantities.ts';
import { type Append, type Appended, AppendQueue, compressed, MAX_BATCH_BYTES, rowOf } from './append.ts';
import { GroupCommit } from './group-commit.ts';
import { Overload } from './overload.ts';
import { UpstreamRateLimits } from './upstream-rate-limits.ts';
import { PendingWrites } from './pending-writes.ts';
import type { DeliveredEnvelope } from './protocol/packed-deliveries.ts';
import { buffersOf, envelopesOf, pack } from './protocol/packed-envelopes.ts';
import type {
  ReadyQuery,
  RejectingCause,
  Cursors,
  MalformedBody,
  ProjectDiscard,
  ProjectLimits,
  SettledEnvelope,
  Opened,
  SpoolWorkerData,
} from './protocol/spool-messages.ts';
import { NO_LISTENER, type SpoolEvents, type SpoolListener } from './spool-listeners.ts';
import type { CallArguments, CallResult } from '../thread/worker-rpc.ts';
import type { SpoolCalls } from './db/spool.worker.ts';
import { Deadline } from '../time/deadline.ts';
import { monotonicNowMs } from '../time/monotonic-clock.ts';
import { SpoolThread, SpoolUnavailable, type StartSpool } from './spool-thread.ts';
import { GZIP_ABOVE_BYTES, type NewEnvelope, type QueuedEnvelope } from '../sink/queued-envelope.ts';

/** Pause before a failed commit is tried again. */
const RETRY_PAUSE_MS = 100;
/** Longest wait of a close for the last commit. Settlements that are not written mean a second delivery, not a loss. */
const CLOSE_MS = 2_000;

/**
 * Appends envelopes to the queue and settles them.
 *
 * All appends that arrive during a commit go into the next one (group commit), so that throughput does not depend on
 * the disk's latency.
 *
 * While its thread is restarted (thread/supervised-worker.ts has the states), new appends are rejected at once, waiting
 * ones go into the first commit after it, and nothing is acknowledged before that.
 */
export class Spool {
  readonly #events: SpoolEvents;
  readonly #rateLimits = new UpstreamRateLimits();
  readonly #groupCommit = new GroupCommit();
  readonly #pending = new PendingWrites();
  readonly #appends: AppendQueue;
  readonly #overload = new Overload(() => ({ fill: this.#fill, canEmpty: this.#listener.canEmpty }));
  /** One shared buffer for all commits, as only one runs at a time. */
  readonly #shared = new Uint8Array(new SharedArrayBuffer(MAX_BATCH_BYTES));
  readonly #thread: SpoolThread;
  #listener: SpoolListener = NO_LISTENER;
  #fill = 0;
  #rejecting: RejectingCause | null = null;
  #lastId = 0;
  #identity = 0;
  #commit: Promise<void> | undefined;

  private constructor(data: SpoolWorkerData, events: SpoolEvents, start?: StartSpool) {
    this.#events = events;
    this.#appends = new AppendQueue(() => data.limits.maxBytes);
    this.#thread = new SpoolThread(data, start, {
      onOpened: (opened) => this.#opened(opened),
      onDeath: events.onThreadDeath,
    });
  }

  /**
   * Opens the spool in its own thread.
   *
   * @throws when another process uses the directory or it is not writable; the message says which.
   */
  static async open(data: SpoolWorkerData, events: SpoolEvents, start?: StartSpool): Promise<Spool> {
    const spool = new Spool(data, events, start);
    await spool.#thread.open();
    return spool;
  }

  /** Whether the spool is open and its thread runs; an append can still fail. */
  get isWritable(): boolean {
    return this.#thread.isOpen;
  }

  /** Envelopes waiting for their commit; right after a commit, as many as waited when it ended. */
  get waiting(): number {
    return Math.max(this.#appends.rows, this.#groupCommit.clients);
  }

  /** A number that grows when an append begins and when it ends. */
  get activity(): number {
    return this.#appends.activity;
  }

  /** Used share of the cap after the last commit, 0 to 1. */
  get fill(): number {
    return this.#fill;
  }

  /** Why new errors are refused, as of the last commit or {@link askRejecting}; null while they are accepted. */
  get rejecting(): RejectingCause | null {
    return this.#rejecting;
  }

  /** Random id of the spool's file; a new one when the file was created again or has lost rows. */
  get identity(): number {
    return this.#identity;
  }

  /** Rate limits of the upstreams, also those from before a restart. */
  get rateLimits(): Pick<UpstreamRateLimits, 'of'> {
    return this.#rateLimits;
  }

  /** Reports changes to `listener` from now on, and at once the last id of the envelopes on disk. */
  attach(listener: SpoolListener): void {
    this.#listener = listener;
    listener.advanced(this.#lastId);
  }

  /** Asks the thread whether it still refuses errors, as no commit says so while no client sends. */
  async askRejecting(): Promise<void> {
    this.#rejecting = await this.#thread.ask('rejecting', []);
  }

  /**
   * Commits an envelope. Rejects with {@link SpoolUnavailable} when it could not be committed: spool full or closed,
   * thread dead, or too many waiting.
   */
  append(envelope: NewEnvelope): Promise<Appended> {
    const bytes = envelope.header.length + envelope.items.length;
    if (!this.#appends.hasRoomFor(bytes) || this.#overload.refuses(this.#appends.rows)) {
      return Promise.reject(new SpoolUnavailable('busy', 'too many envelopes wait for a commit'));
    }
    return new Promise((resolve, reject) => {
      const stamped = { ...envelope, gzipped: null, monotonicAtMs: monotonicNowMs() };
      const append = { envelope: stamped, bytes, resolve, reject };
      this.#appends.begin(append);
      if (bytes <= GZIP_ABOVE_BYTES) return this.#enqueueAppend(append);
      compressed(envelope).then(
        (gzipped) => this.#enqueueAppend({ ...append, envelope: { ...stamped, gzipped } }),
        (error: unknown) => this.#appends.refuse(append, error),
      );
    });
  }

  /**
   * Settles an envelope that sinks accepted, with the next commit; deletes it when all its sinks have settled.
   *
   * @param cut items that were removed before the delivery; counted in the same commit, for the client reports upstream
   */
  settleDelivered(delivery: DeliveredEnvelope, cut: readonly Omit<ProjectDiscard, 'cutFrom'>[] = []): void {
    const { id, bits } = delivery;
    for (const items of cut) this.#pending.discard({ ...items, cutFrom: { id, bits } });
    this.#pending.settleDelivered(delivery);
    this.#schedule();
  }

  /** Settles an envelope with another outcome than a plain delivery. */
  settle(settled: SettledEnvelope): void {
    this.#pending.settle(settled);
    this.#schedule();
  }

  /** Counts an envelope that was answered with 200 and has no sink. */
  countUnwanted(): void {
    this.#pending.unwanted(1);
    this.#schedule();
  }

  /** Counts the items of an envelope that was refused because its client exceeded its rate limit. */
  countThrottled(project: string, items: Uint8Array): void {
    for (const quantity of quantitiesOf(items, 'without spans')) {
      this.#pending.discard({ project, cutFrom: null, reason: 'backpressure', ...quantity });
    }
    this.#schedule();
  }

  /** Stores a malformed body as a dead letter. */
  keepMalformed(body: MalformedBody): void {
    this.#pending.malformed(body);
    this.#schedule();
  }

  /** Stores rate limits that an upstream set. */
  saveRateLimits(limits: ProjectLimits): void {
    this.#rateLimits.add(limits);
    this.#pending.rateLimit(limits);
    this.#schedule();
  }

  /** Reads envelopes of a dispatcher, and its new cursors. Reports corrupt ones; those without a readable sender are sent. */
  async readyEnvelopes(
    query: ReadyQuery,
  ): Promise<{ readonly envelopes: readonly QueuedEnvelope[]; readonly cursors: Cursors }> {
    const { envelopes: packed, cursors, corrupt } = await this.ask('readyEnvelopes', query);
    const { envelopes, senderless } = envelopesOf(packed);
    if (corrupt.length + senderless.length > 0) this.#events.onCorrupt([...corrupt, ...senderless]);
    return { envelopes, cursors };
  }

  /** Sends another request to the spool's thread: counts, dead letters, maintenance. */
  async ask<Call extends Exclude<keyof SpoolCalls, 'commit' | 'close' | 'report' | 'redrive'>>(
    call: Call,
    ...args: CallArguments<SpoolCalls, Call>
  ): Promise<CallResult<SpoolCalls, Call>> {
    return this.#thread.ask(call, args);
  }

  /** Queues the client reports that are due. @param projects those with an upstream that accepts envelopes now. */
  async report(projects: readonly string[], nowMs: number): Promise<void> {
    this.#advance((await this.#thread.ask('report', [projects, nowMs])).lastId);
  }

  /** Queues dead letters again, and returns how many. */
  async redrive(ids: readonly number[]): Promise<number> {
    const { redriven, lastId } = await this.#thread.ask('redrive', [ids]);
    this.#advance(lastId);
    return redriven;
  }

  /** Resolves when no commit is running or scheduled. Failed settlements are committed again before that. */
  async flush(): Promise<void> {
    while (this.#commit !== undefined) await this.#commit;
  }

  /** Commits pending writes within `commitMs`, {@link CLOSE_MS} at most, then closes the file. */
  async close(commitMs = CLOSE_MS): Promise<void> {
    await new Deadline(Math.min(commitMs, CLOSE_MS)).wait(this.flush());
    await this.#thread.close();
  }

  #opened({ moved, lastId, fill, identity, lost, rateLimits }: Opened): void {
    this.#fill = fill;
    this.#identity = identity;
    for (const limits of rateLimits) this.#rateLimits.add(limits);
    if (moved !== null) this.#events.onMovedAside(moved);
    if (lost !== 0) this.#events.onLost(lost);
    // Includes envelopes that a dead thread committed without a confirmation.
    this.#advance(lastId);
    this.#schedule();
  }

  #advance(lastId: number): void {
    this.#lastId = Math.max(this.#lastId, lastId);
    this.#listener.advanced(this.#lastId);
  }

  /** Starts the next commit if anything is pending, after the wait for a group of clients. */
  #schedule(): void {
    const waiting = this.#overload.waiting({ appends: this.#appends.queued, writes: this.#pending.size });
    this.#groupCommit.added(waiting);
    if (this.#commit !== undefined || !this.#thread.isOpen) return;
    if (waiting.appends + waiting.writes === 0) return;
    this.#commit = this.#groupCommit
      .begin(waiting)
      .then(() => this.#commitWaiting())
      .finally(() => {
        this.#commit = undefined;
        this.#schedule();
      });
  }

  async #commitWaiting(): Promise<void> {
    const taken = this.#pending.take();
    const appends = this.#appends.take(this.#overload.most);
    try {
      const packed = pack(appends.map(rowOf), this.#shared);
      const work = { ...taken.work, appends: packed };
      const committed = await this.#thread.ask('commit', [work], buffersOf(packed));
      this.#fill = committed.fill;
      this.#rejecting = committed.rejecting;
      this.#overload.committed(appends.length, committed.freed);
      for (const fault of committed.faults) this.#events.onFault(fault);
      this.#groupCommit.ended(this.#appends.rows);
      const fresh = this.#appends.answer(appends, committed.ids);
      this.#lastId = Math.max(this.#lastId, fresh.at(-1)?.id ?? 0);
      this.#listener.committed(fresh, [...taken.deliveries, ...taken.work.settled]);
    } catch (error) {
      for (const append of appends) this.#appends.refuse(append, error);
      this.#pending.putBack(taken);
      await delay(RETRY_PAUSE_MS);
    }
  }

  #enqueueAppend(append: Append): void {
    if (!this.isWritable) {
      this.#appends.refuse(append, new SpoolUnavailable('closed', 'the spool is not open'));
      return;
    }
    this.#appends.enqueue(append);
    this.#schedule();
  }
}
