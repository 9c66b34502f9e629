import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createGunzip, createInflate, createZstdDecompress, type Zlib } from 'node:zlib';
import type { Reservation } from './body-memory.ts';

/** A request body, decoded, or why it was not taken. */
export type ReadBody =
  | { readonly outcome: 'ok'; readonly bytes: Buffer }
  | {
      readonly outcome: 'too_large' | 'coding' | 'malformed' | 'aborted' | 'timeout' | 'unavailable';
      readonly detail: string;
    };

export interface BodyLimits {
  /** Decoded. */
  readonly maxBytes: number;
  /** As sent, where it is compressed. */
  readonly compressedMaxBytes: number;
}

/** Reserved for a body that does not say its length: most are smaller, and grow no further. */
const UNKNOWN_LENGTH_BYTES = 64 * 1024;

/**
 * Reads a body as bytes, never more than the limits and never more than is reserved for it: a bomb ends at the cap,
 * and a body of a strange coding, or that says it is too large, is refused before a byte of it is read (protocol
 * H2–H4).
 */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  reservation: Reservation,
): Promise<ReadBody> {
  const createDecoder = decoderOf(request);
  if (createDecoder === undefined) return Promise.resolve(UNKNOWN_CODING);
  const { 'content-length': said } = request.headers;
  const saidBytes = said === undefined ? null : Number(said);
  const maxSent = createDecoder === null ? limits.maxBytes : limits.compressedMaxBytes;
  if (saidBytes !== null && saidBytes > maxSent) return Promise.resolve(tooLarge(maxSent));
  const begins = reservation.beginsWith(saidBytes ?? UNKNOWN_LENGTH_BYTES);
  const read = (): Promise<ReadBody> =>
    createDecoder === null
      ? readPlain(request, new Gathered(limits.maxBytes, reservation, saidBytes))
      : readEncoded(request, createDecoder(), limits, reservation);
  if (begins === true) return read();
  return begins.then((hasRoom) => (hasRoom ? read() : NO_MEMORY));
}

const UNKNOWN_CODING: ReadBody = {
  outcome: 'coding',
  detail: 'unsupported content encoding; use gzip, deflate, zstd or none',
};
const NO_MEMORY: ReadBody = { outcome: 'unavailable', detail: 'too many bodies are under way' };
const UNDECODABLE: ReadBody = { outcome: 'malformed', detail: 'body does not decode' };

function tooLarge(maxBytes: number): ReadBody {
  return { outcome: 'too_large', detail: `body exceeds ${maxBytes} bytes` };
}

/** Whoever waited for memory may have gone meanwhile, and nothing would tell any more. */
function isGone(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete;
}

/** Front door and Node cut a connection with the error that says why. */
function goneAnswer({ socket }: IncomingMessage): ReadBody {
  const isLate =
    socket.errored !== null && 'code' in socket.errored && socket.errored.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  return isLate
    ? { outcome: 'timeout', detail: 'the body came too slowly' }
    : { outcome: 'aborted', detail: 'request ended in mid-body' };
}

function readPlain(request: IncomingMessage, body: Gathered): Promise<ReadBody> {
  if (isGone(request)) return Promise.resolve(goneAnswer(request));
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      const refusal = body.add(chunk);
      if (refusal !== undefined) resolve(refusal);
    });
    request.on('end', () => resolve({ outcome: 'ok', bytes: body.joined() }));
    request.on('close', () => {
      if (!request.complete) resolve(goneAnswer(request));
    });
    request.on('error', ignore);
  });
}

/**
 * Both ends must agree: what the decoder did not consume is neither part of the envelope nor of its coding, and a
 * decoder that ended has not seen the rest. Members of gzip that follow each other are one body (RFC 1952, 2.2).
 */
function readEncoded(
  request: IncomingMessage,
  decoder: Decoder,
  { maxBytes, compressedMaxBytes }: BodyLimits,
  reservation: Reservation,
): Promise<ReadBody> {
  if (isGone(request)) return Promise.resolve(goneAnswer(request));
  return new Promise<ReadBody>((resolve) => {
    const body = new Gathered(maxBytes, reservation, null);
    let sentBytes = 0;
    request.on('data', (chunk: Buffer) => {
      sentBytes += chunk.length;
      if (sentBytes > compressedMaxBytes) resolve(tooLarge(compressedMaxBytes));
    });
    request.once('close', () => {
      if (!request.complete) resolve(goneAnswer(request));
    });
    request.on('error', ignore);
    decoder.on('data', (chunk: Buffer) => {
      const refusal = body.add(chunk);
      if (refusal !== undefined) resolve(refusal);
    });
    decoder.once('end', () =>
      resolve(decoder.bytesWritten === sentBytes ? { outcome: 'ok', bytes: body.joined() } : UNDECODABLE),
    );
    decoder.on('error', () => resolve(UNDECODABLE));
    request.pipe(decoder);
  }).finally(() => {
    request.unpipe(decoder);
    decoder.destroy();
  });
}

/** The socket's own end tells what happened; without a listener the error would end the process. */
function ignore(): void {}

/**
 * The bytes that came; once refused, further ones are dropped.
 *
 * Where the length is known, chunks are copied together as they come: kept until the end, they and the copy would
 * be twice what is reserved.
 */
class Gathered {
  readonly #maxBytes: number;
  readonly #reservation: Reservation;
  readonly #saidBytes: number | null;
  #chunks: Buffer[] | undefined;
  #whole: Buffer | undefined;
  #length = 0;

  constructor(maxBytes: number, reservation: Reservation, saidBytes: number | null) {
    this.#maxBytes = maxBytes;
    this.#reservation = reservation;
    this.#saidBytes = saidBytes;
  }

  /** Takes a chunk, or says why it cannot. */
  add(chunk: Buffer): ReadBody | undefined {
    const start = this.#length;
    this.#length += chunk.length;
    const isOver = this.#length > this.#maxBytes;
    if (!isOver && this.#reservation.covers(this.#length)) {
      if (chunk.length === this.#saidBytes) this.#whole = chunk;
      else if (this.#saidBytes === null) (this.#chunks ??= []).push(chunk);
      else this.#copy(chunk, start, this.#saidBytes);
      return undefined;
    }
    this.#chunks = undefined;
    this.#whole = undefined;
    return isOver ? tooLarge(this.#maxBytes) : NO_MEMORY;
  }

  joined(): Buffer {
    return this.#whole ?? Buffer.concat(this.#chunks ?? [], this.#length);
  }

  #copy(chunk: Buffer, start: number, saidBytes: number): void {
    // Every byte of it comes: a request whose body is shorter than it says never ends well.
    this.#whole ??= Buffer.allocUnsafeSlow(saidBytes);
    chunk.copy(this.#whole, start);
  }
}

/** A stream of node:zlib; `bytesWritten` counts what it has consumed. */
type Decoder = Transform & Zlib;

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
function decoderOf(request: IncomingMessage): (() => Decoder) | null | undefined {
  const coding = request.headers['content-encoding'];
  return coding === undefined ? null : DECODERS.get(coding.trim().toLowerCase());
}
