import { setTimeout as delay } from 'node:timers/promises';
import {
  type Claim,
  type SettledEnvelope,
  type SpoolCounts,
  type SpoolWorkerData,
  worseFate,
} from './spool-messages.ts';
import { Gathering } from './gathering.ts';
import { buffersOf, type EnvelopeRow, envelopeOf, pack, unpack } from './packed-envelopes.ts';
import { SpoolThread, SpoolUnavailable } from './spool-thread.ts';
import type { NewEnvelope, SpooledEnvelope } from './spooled-envelope.ts';

/**
 * The durable queue between intake and the sinks.
 *
 * An append resolves only once its envelope is committed and fsynced; all appends that wait while one commit is
 * on its way go into the next (group commit), so that throughput does not depend on the disk's latency.
 *
 * States: opening -> open -> (recovering -> open)* -> closed. While recovering, because the thread died, appends
 * are rejected at once and nothing is acknowledged; what was committed before is on the disk.
 */

/** Rows and bytes of one transaction: enough to share an fsync, little enough to keep its latency low. */
const MAX_BATCH_ROWS = 256;
const MAX_BATCH_BYTES = 4 * 2 ** 20;
/** Bytes that may wait for a commit; above it senders are told to come back, or memory would grow with the load. */
const MAX_WAITING_BYTES = 32 * 2 ** 20;
/** Pause before a dead thread is started again. */
const RESTART_PAUSE_MS = 100;

interface Append {
  readonly row: EnvelopeRow;
  readonly bytes: number;
  readonly resolve: (id: number) => void;
  readonly reject: (error: SpoolUnavailable) => void;
}

/** What the spool tells of itself; the owner logs and counts it. */
export interface SpoolEvents {
  readonly onLost: (envelopes: number) => void;
  readonly onRotten: (ids: readonly number[]) => void;
  readonly onThreadDeath: (cause: Error) => void;
}

export class Spool {
  readonly #data: SpoolWorkerData;
  readonly #events: SpoolEvents;
  #thread: SpoolThread | undefined;
  #appends: Append[] = [];
  readonly #gathering = new Gathering();
  #waitingBytes = 0;
  #waitingRows = 0;
  #settled = new Map<number, SettledEnvelope>();
  #commit: Promise<void> | undefined;
  #onAppended: () => void = () => {};
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

  /** Envelopes that wait for their commit now. */
  get waiting(): number {
    return this.#waitingRows;
  }

  /** Calls `listener` after each commit that brought new envelopes; one listener, the relay. */
  onAppended(listener: () => void): void {
    this.#onAppended = listener;
  }

  /**
   * Commits an envelope.
   *
   * @returns its id, once it is on the disk.
   * @throws SpoolUnavailable when it is not: full, closed, thread dead, or too much waits already.
   */
  append(envelope: NewEnvelope): Promise<number> {
    const bytes = envelope.header.length + envelope.items.length;
    if (!this.isWritable) return Promise.reject(new SpoolUnavailable('closed', 'the spool is not open'));
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES && this.#waitingBytes > 0) {
      return Promise.reject(new SpoolUnavailable('busy', 'too many envelopes wait for the disk'));
    }
    this.#waitingBytes += bytes;
    this.#waitingRows += 1;
    return new Promise((resolve, reject) => {
      const row = { ...envelope, id: 0, sender: JSON.stringify(envelope.sender) };
      this.#appends.push({ row, bytes, resolve, reject });
      this.#gathering.came(this.#appends.length);
      this.#schedule();
    });
  }

  /** Notes that sinks are done with envelopes; written with the next commit, deleted when all sinks are done. */
  settle(settled: readonly SettledEnvelope[]): void {
    for (const one of settled) this.#merge(one);
    this.#schedule();
  }

  /** The next envelopes of a lane, oldest first. */
  async claim(claim: Claim): Promise<readonly SpooledEnvelope[]> {
    const { envelopes, rotten } = await this.#running().ask({ kind: 'claim', claim }, 'claimed');
    const claimed = unpack(envelopes).map(envelopeOf);
    const lastRotten = rotten.at(-1);
    if (lastRotten === undefined) return claimed;
    this.#events.onRotten(rotten);
    this.settle(rotten.map((id) => ({ id, bits: ~0, fate: 'dead_lettered' })));
    return claimed.length > 0 ? claimed : this.claim({ ...claim, afterId: lastRotten });
  }

  async counts(): Promise<SpoolCounts> {
    return (await this.#running().ask({ kind: 'counts' }, 'counted')).counts;
  }

  /** Commits what waits, then gives the file back. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    while (this.#commit !== undefined) await this.#commit;
    this.#isClosed = true;
    await this.#thread?.ask({ kind: 'close' }, 'closed');
  }

  async #start(): Promise<void> {
    const { thread, lost } = await SpoolThread.start(this.#data, (cause) => void this.#recover(cause));
    this.#thread = thread;
    if (lost > 0) this.#events.onLost(lost);
  }

  async #recover(cause: Error): Promise<void> {
    this.#thread = undefined;
    this.#events.onThreadDeath(cause);
    while (!this.#isClosed && this.#thread === undefined) {
      await delay(RESTART_PAUSE_MS);
      await this.#start().catch(this.#events.onThreadDeath);
    }
    this.#schedule();
    this.#onAppended();
  }

  #running(): SpoolThread {
    if (this.#thread === undefined)
      throw new SpoolUnavailable('error', 'the spool thread is being restarted');
    return this.#thread;
  }

  /** Starts the next commit once those who send together have sent. */
  #schedule(): void {
    if (this.#commit !== undefined || this.#thread === undefined) return;
    if (this.#appends.length === 0 && this.#settled.size === 0) return;
    this.#commit = this.#gathering
      .begin(this.#appends.length)
      .then(() => this.#commitWaiting())
      .finally(() => {
        this.#commit = undefined;
        this.#schedule();
      });
  }

  async #commitWaiting(): Promise<void> {
    const appends = this.#takeAppends();
    const settled = [...this.#settled.values()];
    this.#settled.clear();
    const packed = pack(appends.map(({ row }) => row));
    try {
      const request = { kind: 'commit', appends: packed, settled } as const;
      const { ids } = await this.#running().ask(request, 'committed', buffersOf(packed));
      this.#gathering.ended(this.#waitingRows);
      for (const [index, append] of appends.entries()) append.resolve(ids[index] ?? 0);
      if (appends.length > 0) this.#onAppended();
    } catch (error) {
      const refusal =
        error instanceof SpoolUnavailable ? error : new SpoolUnavailable('error', String(error));
      for (const append of appends) append.reject(refusal);
      // The transaction was rolled back: what the sinks did is still true and is written with the next one.
      for (const one of settled) this.#merge(one);
      if (appends.length === 0) await delay(RESTART_PAUSE_MS);
    } finally {
      this.#waitingRows -= appends.length;
      this.#waitingBytes -= appends.reduce((sum, append) => sum + append.bytes, 0);
    }
  }

  /** Sinks that settle one envelope between two commits cost it one write. */
  #merge(settled: SettledEnvelope): void {
    const other = this.#settled.get(settled.id);
    const merged =
      other === undefined
        ? settled
        : { id: settled.id, bits: settled.bits | other.bits, fate: worseFate(settled.fate, other.fate) };
    this.#settled.set(settled.id, merged);
  }

  #takeAppends(): readonly Append[] {
    let bytes = 0;
    let rows = 0;
    for (const append of this.#appends) {
      if (rows === MAX_BATCH_ROWS || (rows > 0 && bytes + append.bytes > MAX_BATCH_BYTES)) break;
      bytes += append.bytes;
      rows += 1;
    }
    return this.#appends.splice(0, rows);
  }
}
