import type { IncomingMessage } from 'node:http';
import type { Reservation } from './body-memory.ts';
import { type Decoder, decoderOf } from './decoders.ts';

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
