import type { EventCount } from './envelope-class.ts';
import type { Item } from './items.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum bytes of an event (protocol H5): above Relay's, because the store keeps one that is too large for the upstream. */
export const MAX_EVENT_BYTES = 4 * MIB;

/**
 * Maximum bytes of payload: of one item, and of all items of its type together. Other types have only the limit of
 * the envelope. Relay's defaults, except {@link MAX_EVENT_BYTES}.
 */
const LIMITS: ReadonlyMap<string, { readonly itemBytes: number; readonly totalBytes: number }> = new Map([
  ['event', { itemBytes: MAX_EVENT_BYTES, totalBytes: Infinity }],
  ['feedback', { itemBytes: MAX_EVENT_BYTES, totalBytes: Infinity }],
  ['transaction', { itemBytes: MIB, totalBytes: Infinity }],
  ['check_in', { itemBytes: 100 * KIB, totalBytes: Infinity }],
  ['client_report', { itemBytes: 4 * KIB, totalBytes: 4 * KIB }],
  ['profile', { itemBytes: 50 * MIB, totalBytes: Infinity }],
  ['profile_chunk', { itemBytes: 50 * MIB, totalBytes: Infinity }],
  ['replay_event', { itemBytes: MIB, totalBytes: Infinity }],
  ['replay_recording', { itemBytes: 10 * MIB, totalBytes: Infinity }],
]);

/** Returns a text for the client if an item, or all items of a type, are too large; otherwise undefined. */
export function findOversized(items: readonly Item[]): string | undefined {
  const totals = new Map<string, number>();
  for (const { type, payloadStart, payloadEnd } of items) {
    const limit = LIMITS.get(type);
    if (limit === undefined) continue;
    const bytes = payloadEnd - payloadStart;
    const total = (totals.get(type) ?? 0) + bytes;
    totals.set(type, total);
    if (bytes > limit.itemBytes) return `${type} is over ${limit.itemBytes} bytes`;
    if (total > limit.totalBytes) return `${type} items together are over ${limit.totalBytes} bytes`;
  }
  return undefined;
}

/** Events of one envelope. SDKs send one, and Relay accepts one; some programs put a few together. */
export const MAX_EVENTS = 10;
/** Browser reports of one request: Chromium and Firefox keep at most a hundred until they send them. */
const MAX_REPORTS = 100;

/** Returns a text for the client if an envelope creates more events than the limits of an address could count fairly. */
export function findTooMany({ events, reports }: EventCount): string | undefined {
  if (events > MAX_EVENTS) return `more than ${MAX_EVENTS} events in one envelope`;
  return reports > MAX_REPORTS ? `more than ${MAX_REPORTS} browser reports in one request` : undefined;
}
