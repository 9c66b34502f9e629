import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { QueuedEnvelope } from '../../sink/queued-envelope.ts';

/** Characters of {@link itemsHash}, one byte each. */
export const HASH_LENGTH = 16;

/**
 * Hashes the items of an envelope for deduplication.
 *
 * With an event id: CRC and length. An attacker does not know another client's random event id before that client has
 * sent it, and a forged envelope that is sent later is only discarded as a repeat itself. Without an event id, the
 * items alone identify the envelope: half of their SHA-256, for which an attacker cannot construct a collision.
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
