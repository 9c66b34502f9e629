import type { DeadLetterDetail, DeadLetterItem } from '../../contract/delivery-api.ts';
import { asBuffer, endOfLine } from '../../envelope/bytes.ts';
import { type Item, scanReadable } from '../../envelope/items.ts';
import { cut } from '../../scrub/cut.ts';
import { newScrubBudget, type ScrubBudget, scrubEvent } from '../../scrub/scrub-event.ts';
import { parseBounded } from '../../scrub/bounded-json.ts';

/** 64 KiB of each item, as the contract says. */
const MAX_TEXT_LENGTH = 64 * 1024;
/** Items that are shown; an envelope may contain 1,000. */
const MAX_ITEMS = 50;

/**
 * Returns the items of a dead letter for the console, scrubbed as stored events are. The raw bytes are used for a redrive
 * only. Never throws.
 *
 * @param bytes as spooled: an envelope, its beginning, or a body that is not an envelope.
 */
export function deadLetterItems(
  bytes: Uint8Array,
  isWhole: boolean,
): Pick<DeadLetterDetail, 'items' | 'unread'> {
  const itemsStart = Math.min(endOfLine(asBuffer(bytes), 0) + 1, bytes.length);
  const { items, fault } = scanReadable(bytes, itemsStart);
  const budget = newScrubBudget();
  const notes = [
    isWhole ? null : 'Only the beginning is stored, because the envelope is very large.',
    fault === null ? null : `The envelope cannot be read to its end: ${fault.detail}.`,
    items.length > MAX_ITEMS ? `The first ${MAX_ITEMS} of ${items.length} items are shown.` : null,
  ].filter((sentence) => sentence !== null);
  return {
    items: items.slice(0, MAX_ITEMS).map((item) => shownItem(bytes, item, budget)),
    unread: notes.length === 0 ? null : notes.join(' '),
  };
}

function shownItem(
  bytes: Uint8Array,
  { type, payloadStart, payloadEnd }: Item,
  budget: ScrubBudget,
): DeadLetterItem {
  const payload = bytes.subarray(payloadStart, payloadEnd);
  const json = parseBounded(payload);
  return {
    type: cut(type, 100),
    bytes: payload.length,
    text: json === undefined ? null : cut(JSON.stringify(scrubEvent(json, budget), null, 2), MAX_TEXT_LENGTH),
  };
}
