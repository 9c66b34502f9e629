import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { joinEnvelope } from '../envelope/bytes.ts';
import { readEnvelopeHeader } from '../envelope/envelope-header.ts';
import { rewriteHeader } from '../envelope/rewrite-header.ts';
import { GZIP_ABOVE_BYTES, type QueuedEnvelope } from '../sink/queued-envelope.ts';

/**
 * An envelope that waited less than this is sent with its header unchanged. Upstreams use `sent_at` to correct clocks
 * by minutes, and parsing and rewriting the header line costs a tenth of a delivery.
 */
const MIN_HELD_MS = 1_000;

const compress = promisify(gzip);

export interface EncodedEnvelope {
  readonly body: Uint8Array;
  readonly isGzip: boolean;
}

/** One time by two clocks: the wall clock, which can be set, and that of time/monotonic-clock.ts. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/**
 * Encodes an envelope for its upstream: items unchanged, `sent_at` moved forward by the waiting time, so that the
 * upstream still computes the client's clock drift correctly.
 *
 * @returns a promise only if the envelope has to be compressed.
 * @param items the envelope's items, or the ones left after rate limits were applied.
 * @param now wall clock and monotonic clock, ms.
 */
export function encodeEnvelope(
  envelope: QueuedEnvelope,
  items: Uint8Array,
  now: Moment,
): EncodedEnvelope | Promise<EncodedEnvelope> {
  const { receivedAtMs, monotonicAtMs } = envelope;
  // The wall clock is the fallback: it may have been set while the envelope waited.
  const heldMs = monotonicAtMs === null ? now.wallMs - receivedAtMs : now.monotonicMs - monotonicAtMs;
  const isUnchanged = items === envelope.items && heldMs < MIN_HELD_MS;
  if (isUnchanged && envelope.gzipped !== null) return { body: envelope.gzipped, isGzip: true };
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
  // `sent_at` is no date, or the sum exceeds the range of Date.
  if (Number.isNaN(moved.getTime())) return line;
  return rewriteHeader(line, { sentAt: moved.toISOString() });
}
