import type { DeadLetterDetail, DeadLetterItem } from '../../contract/delivery-api.ts';
import { asBuffer, endOfLine } from '../../envelope/bytes.ts';
import { type Item, scanReadable } from '../../envelope/items.ts';
import { cut } from '../../scrub/cut.ts';
import { newScrubBudget, type ScrubBudget, scrubEvent } from '../../scrub/scrub-event.ts';
import { scrubText } from '../../scrub/scrub-text.ts';
import { parseBounded } from '../../scrub/bounded-json.ts';

/** 64 KiB of each item, as the contract says. */
const MAX_TEXT_LENGTH = 64 * 1024;
/** Items that are shown; an envelope may contain 1,000. */
const MAX_ITEMS = 50;
/** Enough to recognize a broken client: the start of an HTML page, of JSON, of a header line. */
const BEGINNING_LENGTH = 200;
/** Bytes that are scrubbed for it: a secret that starts in it may end behind it. */
const BEGINNING_BYTES = 1_024;

/** The parts of a dead letter that its bytes give. */
export type DeadLetterContent = Pick<DeadLetterDetail, 'items' | 'beginning' | 'unread'>;

export interface LetterForm {
  readonly isWhole: boolean;
  /** Whether it was accepted. A body that was not is malformed, and its detail says the fault. */
  readonly isEnvelope: boolean;
}

/**
 * Returns the items of a dead letter for the console, scrubbed as stored events are. The raw bytes are used for a redrive
 * only. Never throws.
 *
 * @param bytes as spooled: an envelope, its beginning, or a body that is not an envelope.
 */
export function deadLetterItems(bytes: Uint8Array, { isWhole, isEnvelope }: LetterForm): DeadLetterContent {
  const itemsStart = Math.min(endOfLine(asBuffer(bytes), 0) + 1, bytes.length);
  const { items, fault } = scanReadable(bytes, itemsStart);
  const budget = newScrubBudget();
  const notes = [
    isWhole ? null : 'Only the beginning is stored, because the envelope is very large.',
    fault === null || !isEnvelope ? null : `The envelope cannot be read to its end: ${fault.detail}.`,
    items.length > MAX_ITEMS ? `The first ${MAX_ITEMS} of ${items.length} items are shown.` : null,
  ].filter((sentence) => sentence !== null);
  return {
    items: items.slice(0, MAX_ITEMS).map((item) => shownItem(bytes, item, budget)),
    beginning: items.length > 0 || bytes.length === 0 ? null : beginningOf(bytes),
    unread: notes.length === 0 ? null : notes.join(' '),
  };
}

function beginningOf(bytes: Uint8Array): string {
  const text = asBuffer(bytes.subarray(0, BEGINNING_BYTES)).toString('utf8');
  return cut(scrubText(text), BEGINNING_LENGTH);
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
