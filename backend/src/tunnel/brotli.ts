import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BrotliDecStream, BrotliStreamResultCode, initSync } from 'brotli-dec-wasm/web';
import { Semaphore } from '../time/semaphore.ts';
import { type BodyBuffer, type Rejected, UNDECODABLE } from './body-buffer.ts';

/** Bytes that are decoded until other work of the thread has its turn: 1 ms of an honest body, 35 ms of the worst one. */
const SENT_SLICE_BYTES = 16 * 1024;
/** Bytes that one slice can become. They are in WebAssembly's memory beside the window. */
const DECODED_SLICE_BYTES = 64 * 1024;
/**
 * Processor time for a body. Prefix codes take a stream few bits and a decoder much time: 1 MiB of them takes 2 s, as long
 * as 100 MiB of an honest body, which takes at most 20 ns a byte. The first 250 ms are for the window, which is cleared, and for
 * code that has not run before.
 */
const MAX_CPU_MS = 250;
const MAX_CPU_MS_PER_BYTE = 1e-4;

const TOO_COSTLY: Rejected = { outcome: 'malformed', detail: 'body takes too much time to decode' };

/** WebAssembly's memory never shrinks, and each stream has a window of up to 16 MiB there: one at a time needs 20 MiB. */
const decoding = new Semaphore(1);

/** A body in brotli that has arrived. */
export interface BrotliBody {
  /** As it was sent. */
  readonly sent: BodyBuffer;
  /** Where it is decoded to. It waits for no room, as other bodies wait for the decoder's memory. */
  readonly body: BodyBuffer;
}

/**
 * Decodes a brotli stream (RFC 7932) within the limit of `body` and its reservation. It runs on the thread of its caller in
 * slices, and one body waits for another; docs/decisions/020-brotli-in-webassembly.md.
 *
 * @param cpuMs processor time of this thread.
 */
export function decodeBrotli(coded: BrotliBody, cpuMs = threadCpuMs): Promise<Rejected> {
  return decoding.run(() => decode(coded, cpuMs));
}

async function decode({ sent, body }: BrotliBody, cpuMs: () => number): Promise<Rejected> {
  const bytes = sent.take();
  if (hasLargeWindow(bytes)) return UNDECODABLE;
  loadDecoder();
  const stream = new BrotliDecStream();
  try {
    let spentMs = 0;
    let decodedBytes = 0;
    for (let at = 0; ; await setImmediate()) {
      const startedMs = cpuMs();
      const slice = decodeSlice(stream, bytes.subarray(at, at + SENT_SLICE_BYTES));
      if (slice === undefined) return UNDECODABLE;
      spentMs += cpuMs() - startedMs;
      at += slice.sentBytes;
      decodedBytes += slice.decoded.length;
      const rejection = body.addNow(slice.decoded);
      if (rejection !== undefined) return rejection;
      const isAll = at === bytes.length;
      if (slice.code === BrotliStreamResultCode.ResultSuccess) return isAll ? undefined : UNDECODABLE;
      if (isAll && slice.code === BrotliStreamResultCode.NeedsMoreInput) return UNDECODABLE;
      if (spentMs > MAX_CPU_MS + decodedBytes * MAX_CPU_MS_PER_BYTE) return TOO_COSTLY;
    }
  } finally {
    stream.free();
  }
}

interface Slice {
  readonly decoded: Buffer;
  readonly sentBytes: number;
  readonly code: BrotliStreamResultCode;
}

/** Decodes the next bytes of a stream, all of them or as many as become a slice. Returns undefined for malformed ones. */
function decodeSlice(stream: BrotliDecStream, bytes: Buffer): Slice | undefined {
  try {
    const result = stream.dec(bytes, DECODED_SLICE_BYTES);
    const { buf, input_offset: sentBytes, code } = result;
    result.free();
    return { decoded: Buffer.from(buf.buffer, buf.byteOffset, buf.length), sentBytes, code };
  } catch {
    return undefined;
  }
}

let isLoaded = false;

/** Compiles the decoder for the first body. */
function loadDecoder(): void {
  if (isLoaded) return;
  initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('brotli-dec-wasm/web/bg.wasm'))) });
  isLoaded = true;
}

/**
 * Returns whether a stream begins as one with a window of up to 1 GiB does, which RFC 7932 (9.1) does not have and the
 * decoder would allocate.
 */
function hasLargeWindow(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x7f) === 0x11;
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
