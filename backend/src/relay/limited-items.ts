import { categoryOf, isCritical } from '../envelope/envelope-class.ts';
import { scanItems, type Item } from '../envelope/items.ts';
import { type Quantity, quantitiesOfItems } from '../envelope/quantities.ts';
import { limitedUntilMs, type RateLimit } from '../envelope/rate-limits.ts';

/**
 * What may be sent of an envelope while limits hold. `hold`: an error or feedback in it is limited; nothing of it is
 * sent before the limit ends. `cut`: these items go, the others not; without any, the whole envelope is let go.
 */
export type Sendable =
  | { readonly verdict: 'whole' }
  | { readonly verdict: 'hold'; readonly untilMs: number }
  | { readonly verdict: 'cut'; readonly items: Uint8Array; readonly lost: readonly Quantity[] };

const WHOLE: Sendable = { verdict: 'whole' };

/**
 * Applies an upstream's limits to the items of an envelope (protocol 3.4).
 *
 * An attachment goes where its event goes: with nothing else left it has no meaning. Items nobody can scan are sent
 * as they are; the upstream says what it thinks of them.
 */
export function applyLimits(items: Uint8Array, limits: readonly RateLimit[], nowMs: number): Sendable {
  if (limits.length === 0) return WHOLE;
  const scan = scanItems(items, 0);
  if (scan.outcome !== 'ok') return WHOLE;
  const isLimited = ({ type }: Item): boolean => untilMsOf(type, limits) > nowMs;
  const limited = new Set(scan.items.filter(isLimited));
  if (limited.size === 0) return WHOLE;
  const held = scan.items.filter((item) => limited.has(item) && isCritical(item.type));
  if (held.length > 0) {
    return {
      verdict: 'hold',
      untilMs: Math.max(...held.map(({ type }) => untilMsOf(type, limits))),
    };
  }
  const kept = scan.items.filter((item) => !limited.has(item));
  const isAlone = kept.every(isAttachment);
  const sent = isAlone && scan.items.some((item) => !isAttachment(item)) ? [] : kept;
  const lost = scan.items.filter((item) => !sent.includes(item));
  return { verdict: 'cut', items: bytesOf(items, sent), lost: quantitiesOfItems(items, lost) };
}

/** Client reports are never limited, as in Sentry's SDKs; `default` is an older name of errors. */
function untilMsOf(type: string, limits: readonly RateLimit[]): number {
  const category = categoryOf(type);
  if (category === 'internal') return 0;
  const untilMs = limitedUntilMs(limits, category);
  return category === 'error' ? Math.max(untilMs, limitedUntilMs(limits, 'default')) : untilMs;
}

function isAttachment({ type }: Item): boolean {
  return categoryOf(type) === 'attachment';
}

/** The items as they came, one after the other. */
function bytesOf(bytes: Uint8Array, items: readonly Item[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { headerStart, payloadEnd } of items) {
    parts.push(bytes.subarray(headerStart, payloadEnd), NEWLINE);
  }
  return Buffer.concat(parts);
}

const NEWLINE = Buffer.from('\n');
