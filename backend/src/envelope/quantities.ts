import { asBuffer } from './bytes.ts';
import { categoryOf, DATA_CATEGORIES, type DataCategory } from './envelope-class.ts';
import { type Item, scanItems } from './items.ts';

/** Number of items of one category, as in client reports. */
export interface Quantity {
  readonly category: DataCategory;
  readonly quantity: number;
}

/** Whether transactions are parsed to count their spans; the main thread, which serves requests, must not do it. */
type Spans = 'with spans' | 'without spans';

/** Larger transactions are not parsed: a number in a report is not worth the time. */
const MAX_PARSED_BYTES = 64 * 1024;

/** Categories that reports leave out: reports do not count reports, and no upstream knows a category `unknown`. */
const UNREPORTED: ReadonlySet<DataCategory> = new Set(['internal', 'unknown']);

/** Categories that reports about dropped items can have. */
export const REPORTED_CATEGORIES = DATA_CATEGORIES.filter((category) => !UNREPORTED.has(category));

/**
 * Returns the quantities for a client report about dropped items: one for each item, or its `item_count`; for a
 * transaction also its spans and one more for itself. Bytes that cannot be scanned have no quantities.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export function quantitiesOf(items: Uint8Array, spans: Spans = 'with spans'): readonly Quantity[] {
  const scan = scanItems(items, 0);
  return scan.outcome === 'ok' ? quantitiesOfItems(items, scan.items, spans) : [];
}

/** Returns the quantities of some of the items in `bytes`. */
export function quantitiesOfItems(
  bytes: Uint8Array,
  items: readonly Item[],
  spans: Spans = 'with spans',
): readonly Quantity[] {
  const sums = new Map<DataCategory, number>();
  const add = (category: DataCategory, quantity: number): void => {
    if (!UNREPORTED.has(category) && quantity > 0) sums.set(category, (sums.get(category) ?? 0) + quantity);
  };
  for (const item of items) {
    const { payloadStart, payloadEnd } = item;
    const category = categoryOf(item.type);
    // A payload has at most one entry for each byte; a larger `item_count` is false.
    add(category, Math.min(item.itemCount ?? 1, Math.max(1, payloadEnd - payloadStart)));
    if (category !== 'transaction') continue;
    const payload = bytes.subarray(payloadStart, payloadEnd);
    add('span', spans === 'with spans' && payload.length <= MAX_PARSED_BYTES ? 1 + spansOf(payload) : 1);
  }
  return [...sums].map(([category, quantity]) => ({ category, quantity }));
}

/** Returns the number of spans in a transaction; 0 if it is no JSON. */
function spansOf(payload: Uint8Array): number {
  try {
    const transaction: unknown = JSON.parse(asBuffer(payload).toString());
    const isObject = typeof transaction === 'object' && transaction !== null;
    return isObject && 'spans' in transaction && Array.isArray(transaction.spans)
      ? transaction.spans.length
      : 0;
  } catch {
    return 0;
  }
}
