/** The only line end of an envelope; a `\r` belongs to the line before it (protocol E2). */
export const NEWLINE = 0x0a;

/** Returns the same bytes as a Buffer, for its native search, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the offset of the next newline at or after `from`, or the length of the bytes without one. */
export function endOfLine(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(NEWLINE, from);
  return at < 0 ? bytes.length : at;
}

/**
 * Joins header line and items to one envelope: a view of the received body if both still lie in it, otherwise a copy.
 */
export function joinEnvelope(header: Uint8Array, items: Uint8Array): Buffer {
  const gapAt = header.byteOffset + header.length;
  if (header.buffer === items.buffer && items.byteOffset === gapAt + 1) {
    const whole = Buffer.from(header.buffer, header.byteOffset, header.length + 1 + items.length);
    if (whole[header.length] === NEWLINE) return whole;
  }
  return Buffer.concat([header, NEWLINE_BYTES, items]);
}

const NEWLINE_BYTES = Buffer.of(NEWLINE);
