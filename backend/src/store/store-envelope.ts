import { isForStore } from '../envelope/envelope-class.ts';
import { scanItems } from '../envelope/items.ts';
import type { EnvelopeSource, SpooledEnvelope } from '../spool/spooled-envelope.ts';

/** What the store's thread needs of a spooled envelope. */
export interface StoreEnvelope {
  readonly project: string;
  readonly source: EnvelopeSource;
  readonly receivedAtMs: number;
  readonly eventId: string | null;
  readonly userAgent: string | null;
  /** Only the items the store keeps, in memory of their own: another sink may be sending the envelope's. */
  readonly items: Uint8Array<ArrayBuffer>;
}

/**
 * Copies out what is for the store: an error of 3 KiB may come with a replay of 10 MiB. Items that cannot be
 * scanned go as they are; who reads them says so.
 */
export function packForStore(envelope: SpooledEnvelope): StoreEnvelope {
  const { project, source, receivedAtMs, eventId, sender, items } = envelope;
  return { project, source, receivedAtMs, eventId, userAgent: sender.userAgent, items: itemsForStore(items) };
}

function itemsForStore(items: Uint8Array): Uint8Array<ArrayBuffer> {
  const scan = scanItems(items, 0);
  if (scan.outcome !== 'ok') return Uint8Array.from(items);
  const wanted = scan.items
    .filter(({ type }) => isForStore(type))
    .map(({ headerStart, end }) => items.subarray(headerStart, end));
  const packed = new Uint8Array(wanted.reduce((bytes, item) => bytes + item.byteLength, 0));
  let at = 0;
  for (const item of wanted) {
    packed.set(item, at);
    at += item.byteLength;
  }
  return packed;
}
