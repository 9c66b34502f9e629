import { categoryOf, isCritical } from '../envelope/envelope-class.ts';
import { scanItems, type Item } from '../envelope/items.ts';
import { type Quantity, quantitiesOfItems } from '../envelope/quantities.ts';
import { limitedUntilMs, type RateLimit } from '../envelope/rate-limits.ts';

/**
 * The part of an envelope that may be sent under the current rate limits. `hold`: an error or feedback in it is limited,
 * so the whole envelope waits until the limit ends. `cut`: only `items` are sent; if they are empty, the envelope is
 * dropped.
 */
export type Sendable =
  | { readonly verdict: 'whole' }
  | { readonly verdict: 'hold'; readonly untilMs: number }
  | { readonly verdict: 'cut'; readonly items: Uint8Array; readonly lost: readonly Quantity[] };

const WHOLE: Sendable = { verdict: 'whole' };

/**
 * Applies an upstream's rate limits to the items of an envelope (protocol L2).
 *
 * Attachments are dropped when every other item is: they mean nothing without their event. Items that cannot be scanned
 * are sent unchanged, and the upstream accepts or rejects them.
 */
export function applyLimits(items: Uint8Array, limits: readonly RateLimit[], nowMs: number): Sendable {
  if (limits.length === 0) return WHOLE;
  const scan = scanItems(items, 0);
  if (scan.outcome !== 'ok') return WHOLE;
  const isLimited = ({ type }: Item): boolean => untilMsOf(type, limits) > nowMs;
  const limited = new Set(scan.items.filter(isLimited));
  if (limited.size === 0) return WHOLE;
  const critical = scan.items.filter((item) => limited.has(item) && isCritical(item.type));
  if (critical.length > 0) {
    return {
      verdict: 'hold',
      untilMs: Math.max(...critical.map(({ type }) => untilMsOf(type, limits))),
    };
  }
  const unlimited = scan.items.filter((item) => !limited.has(item));
  const areOnlyAttachments = unlimited.every(isAttachment);
  const sent = areOnlyAttachments && scan.items.some((item) => !isAttachment(item)) ? [] : unlimited;
  const lost = scan.items.filter((item) => !sent.includes(item));
  return { verdict: 'cut', items: bytesOf(items, sent), lost: quantitiesOfItems(items, lost) };
}

/** Whether limits name a category of these items. */
export function concernItems(limits: readonly RateLimit[], items: Uint8Array): boolean {
  const endless = limits.map((limit) => ({ ...limit, untilMs: Infinity }));
  return applyLimits(items, endless, 0).verdict !== 'whole';
}

/**
 * Returns the limits of a 429, and a limit of zero seconds on the refused items if the others name none of their
 * categories: an upstream that refuses an envelope is not asked about the same kind again at once.
 *
 * @param nowMs wall clock, as in the limits.
 */
export function withRefused(
  limits: readonly RateLimit[],
  items: Uint8Array,
  nowMs: number,
): readonly RateLimit[] {
  const scan = scanItems(items, 0);
  if (scan.outcome !== 'ok' || concernItems(limits, items)) return limits;
  const categories = [...new Set(scan.items.map(({ type }) => categoryOf(type)))].toSorted();
  return [...limits, { categories, untilMs: nowMs, reason: null }];
}

/**
 * Returns when the limit of an item type ends, ms; 0 without a limit. Client reports are never limited, as in Sentry's
 * SDKs; `default` is an older name of the category `error`.
 */
function untilMsOf(type: string, limits: readonly RateLimit[]): number {
  const category = categoryOf(type);
  if (category === 'internal') return 0;
  const untilMs = limitedUntilMs(limits, category);
  return category === 'error' ? Math.max(untilMs, limitedUntilMs(limits, 'default')) : untilMs;
}

function isAttachment({ type }: Item): boolean {
  return categoryOf(type) === 'attachment';
}

/** Returns the unchanged bytes of the given items. */
function bytesOf(bytes: Uint8Array, items: readonly Item[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { headerStart, payloadEnd } of items) {
    parts.push(bytes.subarray(headerStart, payloadEnd), NEWLINE);
  }
  return Buffer.concat(parts);
}

const NEWLINE = Buffer.from('\n');
