import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { BuiltScript } from './parsed-script.ts';

/** First byte of packed bytes: their format. Databases store it, so a number never gets a new meaning. */
const DEFLATED = 1;
/** Then the length of the map in bytes, uint32 big-endian, or {@link NO_CODE} if there is no script after it. */
const LENGTH_BYTES = 4;
const NO_CODE = 0xff_ff_ff_ff;
/** Map and script with the maximum size that client-maps.ts reads of a file. */
const MAX_BYTES = 2 * 64 * 1024 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Packs a script and its map to a fifth of their size. Node's thread pool compresses them, so no thread waits. */
export async function packScript({ map, code }: BuiltScript): Promise<Uint8Array> {
  const mapBytes = Buffer.from(map);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(code === null ? NO_CODE : mapBytes.byteLength);
  const body = Buffer.concat([length, mapBytes, Buffer.from(code ?? '')]);
  return Buffer.concat([Uint8Array.of(DEFLATED), await deflate(body)]);
}

/** Unpacks a script. Resolves to undefined for other bytes: the database is damaged, or newer than this version. */
export async function unpackScript(packed: Uint8Array): Promise<BuiltScript | undefined> {
  if (packed[0] !== DEFLATED) return undefined;
  try {
    const body = await inflate(packed.subarray(1), { maxOutputLength: MAX_BYTES });
    const length = body.readUInt32BE();
    const text = body.subarray(LENGTH_BYTES);
    if (length === NO_CODE) return { map: text.toString(), code: null };
    return { map: text.toString('utf8', 0, length), code: text.toString('utf8', length) };
  } catch {
    return undefined;
  }
}

/** Returns an id for a script without a debug id, the same for the same content. */
export function contentId({ map, code }: BuiltScript): string {
  return createHash('sha256')
    .update(`${Buffer.byteLength(map)}\n`)
    .update(map)
    .update(code ?? '')
    .digest('hex')
    .slice(0, 32);
}
