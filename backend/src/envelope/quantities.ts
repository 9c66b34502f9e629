import { asBuffer } from './bytes.ts';
import { categoryOf, type DataCategory } from './envelope-class.ts';
import { type Item, scanItems } from './items.ts';

/** A number of items of one category, as client reports tell it. */
export interface Quantity {
  readonly category: DataCategory;
  readonly quantity: number;
}

/** Whether transactions are parsed to count their spans; never in a thread that others wait for. */
type Spans = 'with spans' | 'without spans';

/** A larger transaction is not parsed for a number in a report. */
const MAX_PARSED_BYTES = 64 * 1024;

/** Not told: reports are not about reports, and an upstream knows no category `unknown`. */
const UNTOLD: ReadonlySet<DataCategory> = new Set(['internal', 'unknown']);

/**
 * What a client report has to tell when these items are let go: each item once, or as often as its `item_count`
 * says; a transaction also its spans and one more for itself. Bytes that cannot be scanned tell nothing.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export function quantitiesOf(items: Uint8Array, spans: Spans = 'with spans'): readonly Quantity[] {
  const scan = scanItems(items, 0);
  return scan.outcome === 'ok' ? quantitiesOfItems(items, scan.items, spans) : [];
}

/** The same for some of the items of `bytes`. */
export function quantitiesOfItems(
  bytes: Uint8Array,
  items: readonly Item[],
  spans: Spans = 'with spans',
): readonly Quantity[] {
  const sums = new Map<DataCategory, number>();
  const add = (category: DataCategory, quantity: number): void => {
    if (!UNTOLD.has(category) && quantity > 0) sums.set(category, (sums.get(category) ?? 0) + quantity);
  };
  for (const item of items) {
    const { payloadStart, payloadEnd } = item;
    const category = categoryOf(item.type);
    // Nobody has more entries than bytes, whatever the header says.
    add(category, Math.min(item.itemCount ?? 1, Math.max(1, payloadEnd - payloadStart)));
    if (category !== 'transaction') continue;
    const payload = bytes.subarray(payloadStart, payloadEnd);
    add('span', spans === 'with spans' && payload.length <= MAX_PARSED_BYTES ? 1 + spansOf(payload) : 1);
  }
  return [...sums].map(([category, quantity]) => ({ category, quantity }));
}

/** How many spans a transaction carries; 0 where it is no JSON. */
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
