import type { DeadLetterDetail, DeadLetterItem } from '../../contract/delivery-api.ts';
import { asBuffer, endOfLine } from '../../envelope/bytes.ts';
import { type Item, scanReadable } from '../../envelope/items.ts';
import { cut } from '../../scrub/cut.ts';
import { scrubEvent } from '../../scrub/scrub-event.ts';
import { parseBounded } from './bounded-json.ts';

/** As the contract says: 64 KiB of each. */
const MAX_TEXT_LENGTH = 64 * 1024;
/** Items that are shown; of more, an envelope may hold 1,000. */
const MAX_ITEMS = 50;

/**
 * What is in a dead letter, for people: scrubbed as the store scrubs what it keeps. The bytes themselves are for a
 * redrive only (faults.md S24). Whatever they are, this answers.
 *
 * @param bytes as the spool kept them: an envelope, its beginning, or a body that is none.
 */
export function deadLetterItems(
  bytes: Uint8Array,
  isWhole: boolean,
): Pick<DeadLetterDetail, 'items' | 'unread'> {
  const itemsStart = Math.min(endOfLine(asBuffer(bytes), 0) + 1, bytes.length);
  const { items, fault } = scanReadable(bytes, itemsStart);
  const said = [
    isWhole ? null : 'Only its beginning is kept, as it is very large.',
    fault === null ? null : `It cannot be read to its end: ${fault.detail}.`,
    items.length > MAX_ITEMS ? `Only the first ${MAX_ITEMS} of ${items.length} items are shown.` : null,
  ].filter((sentence) => sentence !== null);
  return {
    items: items.slice(0, MAX_ITEMS).map((item) => shownItem(bytes, item)),
    unread: said.length === 0 ? null : said.join(' '),
  };
}

function shownItem(bytes: Uint8Array, { type, payloadStart, payloadEnd }: Item): DeadLetterItem {
  const payload = bytes.subarray(payloadStart, payloadEnd);
  const json = parseBounded(payload);
  return {
    type: cut(type, 100),
    bytes: payload.length,
    text: json === undefined ? null : cut(JSON.stringify(scrubEvent(json), null, 2), MAX_TEXT_LENGTH),
  };
}
