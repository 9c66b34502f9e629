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

/** Header line and items as one envelope: the body they were cut from where they still lie in it, else a copy. */
export function joinEnvelope(header: Uint8Array, items: Uint8Array): Buffer {
  const gapAt = header.byteOffset + header.length;
  if (header.buffer === items.buffer && items.byteOffset === gapAt + 1) {
    const whole = Buffer.from(header.buffer, header.byteOffset, header.length + 1 + items.length);
    if (whole[header.length] === NEWLINE) return whole;
  }
  return Buffer.concat([header, NEWLINE_BYTES, items]);
}

const NEWLINE_BYTES = Buffer.of(NEWLINE);
