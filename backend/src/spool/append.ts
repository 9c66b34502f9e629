import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { joinEnvelope } from '../envelope/bytes.ts';
import { hashOf } from './items-hash.ts';
import type { EnvelopeRow } from './packed-envelopes.ts';
import type { SpoolUnavailable } from './spool-thread.ts';
import { Turns } from './turns.ts';
import type { NewEnvelope, SpooledEnvelope } from './spooled-envelope.ts';

/** Rows and bytes of one transaction: enough to share an fsync, little enough to keep its latency low. */
const MAX_BATCH_ROWS = 256;
export const MAX_BATCH_BYTES = 4 * 2 ** 20;

const compress = promisify(gzip);
/** One for each core of a small machine: more would only hold memory at the same time. */
const compressing = new Turns(2);

/** What became of an append. */
export interface Appended {
  readonly id: number;
  /** The same envelope was taken before; nothing was written. */
  readonly isDuplicate: boolean;
}

/** An envelope that waits for its commit, and who waits for it. */
export interface Append {
  readonly envelope: NewEnvelope;
  readonly gzipped: Uint8Array | null;
  readonly steadyAtMs: number;
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: SpoolUnavailable) => void;
}

/** The envelope as one gzip member. */
export function compressed({ header, items }: NewEnvelope): Promise<Uint8Array> {
  // The fastest level: most of what text saves it saves too, at a third of the time.
  const options = { level: constants.Z_BEST_SPEED };
  return compressing.run(() => compress(joinEnvelope(header, items), options));
}

/** The next appends that go into one transaction, taken out of the queue. */
export function takeBatch(queue: Append[]): readonly Append[] {
  let bytes = 0;
  let rows = 0;
  for (const append of queue) {
    if (rows === MAX_BATCH_ROWS || (rows > 0 && bytes + append.bytes > MAX_BATCH_BYTES)) break;
    bytes += append.bytes;
    rows += 1;
  }
  return queue.splice(0, rows);
}

/** As the spool's file takes it. */
export function rowOf({ envelope, gzipped, steadyAtMs }: Append): EnvelopeRow {
  const { items, sender, ...rest } = envelope;
  return {
    ...rest,
    id: 0,
    steadyAtMs,
    sender: JSON.stringify(sender),
    stored: gzipped ?? items,
    isGzip: gzipped !== null,
    itemsHash: gzipped === null ? null : hashOf(items),
  };
}

/** As the sinks get it from memory, without another look at the disk. */
export function spooledOf({ envelope, gzipped, steadyAtMs }: Append, id: number): SpooledEnvelope {
  return { ...envelope, id, gzipped, steadyAtMs };
}
