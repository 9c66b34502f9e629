import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { joinEnvelope } from '../envelope/bytes.ts';
import { diskBytesOf } from './protocol/disk-bytes.ts';
import { itemsHash } from './protocol/items-hash.ts';
import type { EnvelopeRow } from './protocol/packed-envelopes.ts';
import { DUPLICATE, NO_ROOM } from './protocol/spool-messages.ts';
import { SpoolUnavailable } from './spool-thread.ts';
import { Semaphore } from '../time/semaphore.ts';
import type { NewEnvelope, QueuedEnvelope } from '../sink/queued-envelope.ts';

/** Most rows and bytes of one transaction: enough to share an fsync, few enough for a short commit. */
const MAX_BATCH_ROWS = 256;
export const MAX_BATCH_BYTES = 4 * 2 ** 20;
/** The commit that takes a small spool above 90 % takes it no further than 93 %. */
const MAX_BATCH_PART = 1 / 32;
/** Most bytes waiting for a commit; more are refused with Retry-After, as memory would grow with the load. */
const MAX_WAITING_BYTES = 32 * 2 ** 20;

const compress = promisify(gzip);
/** One for each core of a small machine: more compressions at once only use more memory. */
const compressing = new Semaphore(2);

/** Result of an append. */
export interface Appended {
  readonly id: number;
  /** The same envelope was accepted before; nothing was written. */
  readonly isDuplicate: boolean;
  /** Part of the spool's cap that it uses, 0 to 1; 0 for a duplicate. */
  readonly part: number;
}

/** An envelope that waits for its commit, with the callbacks of its promise. */
export interface Append {
  readonly envelope: Omit<QueuedEnvelope, 'id'>;
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: SpoolUnavailable) => void;
}

/** Compresses an envelope into one gzip member. */
export function compressed({ header, items }: NewEnvelope): Promise<Uint8Array> {
  // The fastest level: nearly the same ratio for text, in a third of the time.
  const options = { level: constants.Z_BEST_SPEED };
  return compressing.run(() => compress(joinEnvelope(header, items), options));
}

/** Holds the unfinished appends: in compression, waiting for a commit, or in one. */
export class AppendQueue {
  #queue: Append[] = [];
  #bytes = 0;
  #rows = 0;
  #activity = 0;
  readonly #maxBytes: () => number;

  /** @param maxBytes returns the spool's cap. */
  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes;
  }

  /** Number of envelopes that wait for the next commit. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Number of unfinished appends. */
  get rows(): number {
    return this.#rows;
  }

  /** A number that grows when an append begins and when it ends. */
  get activity(): number {
    return this.#activity;
  }

  /** Returns whether so many more bytes fit; a single envelope always does. */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= MAX_WAITING_BYTES;
  }

  /** Counts an append; it waits for a commit once it is {@link enqueue}d. */
  begin(append: Append): void {
    this.#bytes += append.bytes;
    this.#rows += 1;
    this.#activity += 1;
  }

  enqueue(append: Append): void {
    this.#queue.push(append);
  }

  /** Removes the appends of the next transaction from the queue and returns them, at most `most`. */
  take(most: number): readonly Append[] {
    const maxRows = Math.min(most, MAX_BATCH_ROWS);
    const maxBytes = Math.min(MAX_BATCH_BYTES, this.#maxBytes() * MAX_BATCH_PART);
    let bytes = 0;
    let rows = 0;
    for (const append of this.#queue) {
      if (rows >= maxRows || (rows > 0 && bytes + append.bytes > maxBytes)) break;
      bytes += append.bytes;
      rows += 1;
    }
    return this.#queue.splice(0, rows);
  }

  /** Resolves the appends of one commit. @param ids one for each, or its verdict. @returns the new envelopes. */
  answer(appends: readonly Append[], ids: readonly number[]): readonly QueuedEnvelope[] {
    const fresh: QueuedEnvelope[] = [];
    const maxBytes = this.#maxBytes();
    for (const [index, append] of appends.entries()) {
      const id = ids[index] ?? NO_ROOM;
      if (id === NO_ROOM) {
        this.refuse(append, new SpoolUnavailable('full', 'the spool is full'));
        continue;
      }
      this.#end(append);
      const isDuplicate = id === DUPLICATE;
      const { header, items, gzipped } = append.envelope;
      const part = isDuplicate ? 0 : diskBytesOf({ header, stored: gzipped ?? items }) / maxBytes;
      append.resolve({ id, isDuplicate, part });
      if (!isDuplicate) fresh.push({ ...append.envelope, id });
    }
    return fresh;
  }

  refuse(append: Append, error: unknown): void {
    this.#end(append);
    append.reject(error instanceof SpoolUnavailable ? error : new SpoolUnavailable('error', String(error)));
  }

  #end({ bytes }: Append): void {
    this.#bytes -= bytes;
    this.#rows -= 1;
    this.#activity += 1;
  }
}

/** Converts an append into a row of the spool's file. */
export function rowOf({ envelope }: Append): EnvelopeRow {
  const { project, source, lifetime, receivedAtMs, monotonicAtMs, eventId, hasMadeId, sender } = envelope;
  const { header, items, gzipped, pending } = envelope;
  // Written out: spreading takes four times as long, and this runs for each envelope.
  return {
    id: 0,
    project,
    source,
    class: envelope.class,
    lifetime,
    receivedAtMs,
    monotonicAtMs,
    eventId,
    hasMadeId,
    sender: JSON.stringify(sender),
    header,
    pending,
    stored: gzipped ?? items,
    isGzip: gzipped !== null,
    itemsHash: gzipped === null ? null : itemsHash(envelope, items),
  };
}
