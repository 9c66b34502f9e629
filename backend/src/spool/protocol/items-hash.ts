import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { QueuedEnvelope } from '../../sink/queued-envelope.ts';

/** Characters of {@link itemsHash}, all of one byte. */
export const HASH_LENGTH = 16;

/**
 * What tells the items of two envelopes apart, beside their event id if they have one.
 *
 * With an id: CRC and length. Nobody can send another's id before its owner did, and whoever sends it later only has
 * his own envelope taken for a repeat. Without one the items alone decide: half of their SHA-256, of which nobody can
 * make two alike.
 *
 * @param crc of the items, where it is known.
 */
export function itemsHash(
  { eventId, hasMadeId }: Pick<QueuedEnvelope, 'eventId' | 'hasMadeId'>,
  items: Uint8Array,
  crc = crc32(items),
): string {
  if (eventId === null || hasMadeId) return hash('sha256', items, 'latin1').slice(0, HASH_LENGTH);
  return hex(crc) + hex(items.length);
}

function hex(value: number): string {
  return value.toString(16).padStart(HASH_LENGTH / 2, '0');
}
