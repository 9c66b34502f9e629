import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** A request body, decoded, or why it was not taken. */
export type ReadBody =
  | { readonly outcome: 'ok'; readonly bytes: Buffer }
  | { readonly outcome: 'too_large' | 'coding' | 'malformed' | 'aborted'; readonly detail: string };

/**
 * Decoders by coding. No brotli on purpose: Node's decoder was exploitable (CVE-2026-111497), and no SDK sends it.
 * Sources: Sentry's "Compression" (gzip, deflate, zstd); sentry-ruby 5 sends an empty coding, old Android `UTF-8`.
 */
const DECODERS: Readonly<Record<string, (() => Transform) | null>> = {
  '': null,
  identity: null,
  'utf-8': null,
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  zstd: createZstdDecompress,
};

/**
 * Reads a body as bytes, never more than `maxBytes` once decoded: a bomb ends at the cap, and a body that says
 * it is larger is refused before a byte of it is read.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const coding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  const createDecoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (createDecoder === undefined) {
    return Promise.resolve({
      outcome: 'coding',
      detail: 'unsupported content encoding; use gzip, deflate, zstd or none',
    });
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(tooLarge(maxBytes));
  const decoder = createDecoder?.();
  if (decoder !== undefined) request.pipe(decoder);
  return collect(request, decoder ?? request, maxBytes).finally(() => {
    if (decoder === undefined) return;
    request.unpipe(decoder);
    decoder.destroy();
  });
}

function collect(
  request: IncomingMessage,
  source: IncomingMessage | Transform,
  maxBytes: number,
): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    source.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else resolve(tooLarge(maxBytes));
    });
    source.once('end', () => resolve({ outcome: 'ok', bytes: joined(chunks, length) }));
    source.once('error', () => resolve({ outcome: 'malformed', detail: 'body does not decode' }));
    request.once('close', () => {
      if (!request.complete) resolve({ outcome: 'aborted', detail: 'request ended in mid-body' });
    });
  });
}

function joined(chunks: readonly Buffer[], length: number): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length);
}

function tooLarge(maxBytes: number): ReadBody {
  return { outcome: 'too_large', detail: `envelope exceeds ${maxBytes} bytes` };
}
