import type { IncomingMessage } from 'node:http';
import { constants, createGunzip, createInflate, createZstdDecompress, type Zlib } from 'node:zlib';
import type { Transform } from 'node:stream';

/** A stream of node:zlib; `bytesWritten` counts what it has consumed. */
export type Decoder = Transform & Zlib;

/** Window a zstd decoder must bear (RFC 8878, 3.1.1.1.2: 8 MB); Node's default would let one body ask for 128 MiB. */
const ZSTD_WINDOW_LOG = 23;

const zstd = (): Decoder =>
  createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } });

/**
 * Decoders by coding; null: the bytes are as they are. No brotli on purpose: Node's decoder was exploitable
 * (CVE-2026-111497), and no SDK sends it.
 * Sources: Sentry's "Compression" (gzip, deflate, zstd); sentry-ruby 5 sends an empty coding, old Android `UTF-8`.
 */
const DECODERS: ReadonlyMap<string, (() => Decoder) | null> = new Map<string, (() => Decoder) | null>([
  ['', null],
  ['identity', null],
  ['utf-8', null],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  // RFC 9110: with zlib's header and checksum. Raw deflate has neither, and any bytes could pass for it.
  ['deflate', createInflate],
  ['zstd', zstd],
]);

/** How to decode a request's body; undefined where its coding is not taken. Several codings are one unknown name. */
export function decoderOf(request: IncomingMessage): (() => Decoder) | null | undefined {
  const coding = request.headers['content-encoding'];
  return coding === undefined ? null : DECODERS.get(coding.trim().toLowerCase());
}
