import { hash } from 'node:crypto';

/** Characters of {@link hashOf}. */
export const HASH_LENGTH = 16;

/** Half of the SHA-256 of an envelope's items, one byte a character: enough that nobody can make two alike. */
export function hashOf(items: Uint8Array): string {
  return hash('sha256', items, 'latin1').slice(0, HASH_LENGTH);
}
