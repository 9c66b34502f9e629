/** The only line end of an envelope; `\r` belongs to what stands before it (protocol E2). */
export const NEWLINE = 0x0a;

/** The same bytes as a Buffer, for its native search; nothing is copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Offset of the next newline at or after `from`, else the end of the bytes. */
export function endOfLine(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(NEWLINE, from);
  return at < 0 ? bytes.length : at;
}
