import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { joinEnvelope } from '../envelope/bytes.ts';
import { readEnvelopeHeader } from '../envelope/envelope-header.ts';
import { rewriteHeader } from '../envelope/rewrite-header.ts';
import { GZIP_ABOVE_BYTES, type QueuedEnvelope } from '../sink/queued-envelope.ts';

/**
 * An envelope held shorter is sent as it came. Upstreams correct clocks by `sent_at` in minutes, and reading and
 * writing the header line again costs a tenth of sending it.
 */
const MIN_HELD_MS = 1_000;

const compress = promisify(gzip);

export interface EncodedEnvelope {
  readonly body: Uint8Array;
  readonly isGzip: boolean;
}

/**
 * The envelope as it is sent: items untouched, `sent_at` later by the time it was held (clock drift stays true).
 *
 * @returns a promise only where it has to be compressed.
 * @param items those of the envelope, or what is left of them.
 * @param now by the wall clock and by the steady clock, ms.
 */
export function encodeEnvelope(
  envelope: QueuedEnvelope,
  items: Uint8Array,
  now: { readonly wallMs: number; readonly monotonicMs: number },
): EncodedEnvelope | Promise<EncodedEnvelope> {
  const { receivedAtMs, monotonicAtMs } = envelope;
  // Not by the wall clock where it can be helped: it may have been set while the envelope waited.
  const heldMs = monotonicAtMs === null ? now.wallMs - receivedAtMs : now.monotonicMs - monotonicAtMs;
  const isAsItCame = items === envelope.items && heldMs < MIN_HELD_MS;
  if (isAsItCame && envelope.gzipped !== null) return { body: envelope.gzipped, isGzip: true };
  const header = heldMs < MIN_HELD_MS ? envelope.header : moveSentAt(envelope.header, heldMs);
  const body = joinEnvelope(header, items);
  if (body.length <= GZIP_ABOVE_BYTES) return { body, isGzip: false };
  return compress(body).then((compressed) => ({ body: compressed, isGzip: true }));
}

function moveSentAt(line: Uint8Array, heldMs: number): Uint8Array {
  const read = readEnvelopeHeader(line);
  const sentAtMs =
    read.outcome === 'ok' && read.header.sentAt !== null ? Date.parse(read.header.sentAt) : Number.NaN;
  const moved = new Date(sentAtMs + heldMs);
  // No date, or one at the end of time.
  if (Number.isNaN(moved.getTime())) return line;
  return rewriteHeader(line, { sentAt: moved.toISOString() });
}
