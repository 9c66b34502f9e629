import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import {
  BodyBuffer,
  type BodyRejection,
  type ReadBody,
  REFUSALS,
  type Rejected,
  tooLarge,
  UNDECODABLE,
} from './body-buffer.ts';
import type { Reservation } from './body-memory.ts';
import type { BodyPace, PacedBody } from './body-pace.ts';
import { decodeBrotli } from './brotli.ts';

export interface BodyLimits {
  /** Maximum size of the decoded body. */
  readonly maxBytes: number;
  /** Maximum size of a compressed body as it is sent. */
  readonly compressedMaxBytes: number;
  /** Cuts the bodies that arrive too slowly. */
  readonly pace: BodyPace;
}

/** A stream of node:zlib; `bytesWritten` counts the bytes that it has consumed. */
type Decoder = Transform & zlib.Zlib;

/** Window that every zstd decoder must support (RFC 8878, 3.1.1.1.2: 8 MB); Node's default is 128 MiB for one body. */
const ZSTD_WINDOW_LOG = 23;

const createZstd = (): Decoder =>
  zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } });

/** What decodes a body: a stream, {@link decodeBrotli}, or nothing. */
type Coding = (() => Decoder) | 'brotli' | null;

/**
 * Codings by content encoding. Sources: Sentry's "Compression" (gzip, deflate, zstd); sentry-python sends brotli where its
 * module is installed; sentry-ruby 5 sends an empty value, old Android SDKs `UTF-8`.
 */
const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['', null],
  ['identity', null],
  ['utf-8', null],
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  // RFC 9110: with zlib's header and checksum. Raw deflate has neither, so any bytes could pass as raw deflate.
  ['deflate', zlib.createInflate],
  ['br', 'brotli'],
  ['zstd', createZstd],
]);

const UNKNOWN_ENCODING: ReadBody = {
  outcome: 'coding',
  detail: 'unsupported content encoding; use gzip, deflate, br, zstd or none',
};
/** An application has given its own Express with a body parser to Nest. */
const READ_BEFORE: ReadBody = {
  outcome: 'malformed',
  detail: 'a body parser of the application has read the body; add the parser after NestFactory.create()',
};
const TOO_SLOW: BodyRejection = { outcome: 'timeout', detail: 'the body came too slowly' };

/**
 * Reads a body as bytes, never more than the limits and never more than its reservation: a decompression bomb ends at
 * the limit. A body with an unknown encoding or with a declared length over the limit is rejected before a byte of it
 * is read (protocol H2–H4). The declared length is compared with limits only; memory is charged as bytes arrive.
 */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  reservation: Reservation,
): Promise<ReadBody> {
  const coding = codingOf(request);
  if (coding === undefined) return Promise.resolve(UNKNOWN_ENCODING);
  const declaredBytes = declaredBytesOf(request);
  const maxSentBytes = coding === null ? limits.maxBytes : limits.compressedMaxBytes;
  if (declaredBytes !== null && declaredBytes > maxSentBytes) return Promise.resolve(tooLarge(maxSentBytes));
  const admission = reservation.begin(declaredBytes ?? 0);
  // Without a wait no promise is created, which counts for thousands of small bodies a second.
  if (admission === 'ok') return receive(request, limits, reservation, coding);
  const leave = (): void => reservation.release();
  request.once('close', leave);
  return Promise.resolve(admission).then((admitted) => {
    request.off('close', leave);
    if (admitted === 'ok') return receive(request, limits, reservation, coding);
    return isAborted(request) ? abortedBody(request) : REFUSALS[admitted];
  });
}

/** A body that is being read. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly body: BodyBuffer;
  readonly paced: PacedBody;
  readonly reservation: Reservation;
}

/** Reads a body that was admitted. */
async function receive(
  request: IncomingMessage,
  { maxBytes, compressedMaxBytes, pace }: BodyLimits,
  reservation: Reservation,
  coding: Coding,
): Promise<ReadBody> {
  if (isAborted(request)) return abortedBody(request);
  // No event would follow, and the sender would wait.
  if (request.readableEnded) return READ_BEFORE;
  const body = new BodyBuffer(maxBytes, reservation, coding === null ? declaredBytesOf(request) : null);
  const arrival = { request, body, paced: pace.watch(request), reservation };
  const rejection = await readCoded(arrival, coding, compressedMaxBytes);
  arrival.paced.end();
  const bytes = body.take();
  return rejection ?? { outcome: 'ok', bytes };
}

/**
 * Resolves when `body` has all bytes. The bytes are no part of the result: the listeners of the request hold this promise for as
 * long as it lives.
 */
function readCoded(arrival: Arrival, coding: Coding, maxSentBytes: number): Promise<Rejected> {
  if (coding === null) return readPlain(arrival);
  if (coding === 'brotli') return readBrotli(arrival, maxSentBytes);
  return readEncoded(arrival, coding(), maxSentBytes);
}

/** Returns null without a declared length. */
function declaredBytesOf({ headers }: IncomingMessage): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

/** Returns undefined for an unsupported encoding; a list of several encodings is one unknown name. */
function codingOf(request: IncomingMessage): Coding | undefined {
  const encoding = request.headers['content-encoding'];
  return encoding === undefined ? null : CODINGS.get(encoding.trim().toLowerCase());
}

/**
 * A request whose client has disconnected, while it waited for memory, emits no further event: not even its end, when all of it
 * has arrived, but lies unread in the process.
 */
function isAborted(request: IncomingMessage): boolean {
  return request.destroyed && !request.readableEnded;
}

/** Distinguishes a timeout, for which the HTTP server or Node destroys the socket with an error, from a disconnect. */
function abortedBody({ socket }: IncomingMessage): BodyRejection {
  const isTimeout =
    socket.errored !== null && 'code' in socket.errored && socket.errored.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  return isTimeout
    ? { outcome: 'timeout', detail: 'timeout while reading the body' }
    : { outcome: 'aborted', detail: 'connection closed before the end of the body' };
}

function readPlain(arrival: Arrival): Promise<Rejected> {
  const { request, body, paced } = arrival;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      paced.receive(chunk.length);
      add(chunk, { body, source: request, reject: resolve });
    });
    request.on('end', () => resolve(undefined));
    onCut(arrival, resolve);
  });
}

/** Reads a body in brotli as it is sent, and decodes it then: its reservation has room for both. */
async function readBrotli(arrival: Arrival, maxSentBytes: number): Promise<Rejected> {
  const { request, body, reservation } = arrival;
  const sent = new BodyBuffer(maxSentBytes, reservation, declaredBytesOf(request));
  try {
    return (await readPlain({ ...arrival, body: sent })) ?? (await decodeBrotli({ sent, body }));
  } finally {
    sent.drop();
  }
}

/**
 * Accepts a body only when decoder and request end together: bytes that the decoder did not consume belong neither to
 * the envelope nor to its encoding. Consecutive gzip members are one body (RFC 1952, 2.2).
 */
async function readEncoded(arrival: Arrival, decoder: Decoder, maxSentBytes: number): Promise<Rejected> {
  const { request, body, paced } = arrival;
  let sentBytes = 0;
  const rejected = new Promise<Rejected>((resolve) => {
    request.on('data', (chunk: Buffer) => {
      paced.receive(chunk.length);
      sentBytes += chunk.length;
      if (sentBytes > maxSentBytes) resolve(tooLarge(maxSentBytes));
    });
    onCut(arrival, resolve);
  });
  request.pipe(decoder);
  const rejection = await Promise.race([rejected, collect(decoder, body)]);
  request.unpipe(decoder);
  decoder.destroy();
  return rejection ?? (decoder.bytesWritten === sentBytes ? undefined : UNDECODABLE);
}

/** Reports a body that does not come to its end: too slow, or with its connection closed. */
function onCut({ request, paced }: Arrival, report: (rejection: BodyRejection) => void): void {
  paced.onSlow = () => report(TOO_SLOW);
  request.once('close', () => {
    if (isAborted(request)) report(abortedBody(request));
  });
  request.on('error', ignore);
}

/** Inflates bytes (zlib) as a stream, so that they end at `body`'s limit and at its reservation. */
export async function inflateInto(body: BodyBuffer, bytes: Buffer): Promise<ReadBody> {
  const decoder = zlib.createInflate();
  decoder.end(bytes);
  const rejection = await collect(decoder, body);
  decoder.destroy();
  return rejection ?? { outcome: 'ok', bytes: body.take() };
}

/** Collects the output of a decoder. Resolves at its end, its first error or the rejection of a chunk. */
function collect(decoder: Decoder, body: BodyBuffer): Promise<Rejected> {
  return new Promise((resolve) => {
    decoder.on('data', (chunk: Buffer) => add(chunk, { body, source: decoder, reject: resolve }));
    decoder.once('end', () => resolve(undefined));
    decoder.on('error', () => resolve(UNDECODABLE));
  });
}

interface Target {
  readonly body: BodyBuffer;
  readonly source: Readable;
  readonly reject: (rejection: BodyRejection) => void;
}

/** Adds a chunk to a body. While it waits for room its source is paused, and with it the client. */
function add(chunk: Buffer, { body, source, reject }: Target): void {
  const added = body.add(chunk);
  if (added instanceof Promise) {
    source.pause();
    void added.then((rejection) => {
      if (rejection !== undefined) reject(rejection);
      source.resume();
    });
  } else if (added !== undefined) reject(added);
}

/** `close` and the socket report how the request ended; without a listener `error` would end the process. */
function ignore(): void {}
