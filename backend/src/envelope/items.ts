import { asBuffer, endOfLine, NEWLINE } from './bytes.ts';
import { findMember, readHeaderLine } from './header-line.ts';

/** Most items in one envelope, so that a scan has an end (protocol E18). */
export const MAX_ITEMS = 1_000;
/** Longest item header line, bytes without its newline (S5); the longest of a real SDK was 148. */
export const MAX_ITEM_HEADER_BYTES = 4 * 1024;

/** One item of an envelope, as offsets into the scanned bytes; ends are exclusive. */
export interface Item {
  readonly type: string;
  readonly headerStart: number;
  readonly payloadStart: number;
  readonly payloadEnd: number;
  /** After the item's newline, or the end of the bytes where it has none. */
  readonly end: number;
  /** How many logs, spans or metrics the payload holds by its header; null where it does not say. */
  readonly itemCount: number | null;
  /** What kind of attachment it is (`event.minidump`); null for every other item. */
  readonly attachmentType: string | null;
}

export type ItemsScan =
  | { readonly outcome: 'ok'; readonly items: readonly Item[] }
  | { readonly outcome: 'malformed'; readonly detail: string }
  | { readonly outcome: 'too_large'; readonly detail: string };

/**
 * Finds the items from `start` to the end of the bytes, without reading a payload or copying a byte.
 *
 * Without `length` a payload runs to the next newline, with it exactly so many bytes, which a newline or the end
 * must follow; null is the same as no length, and one that is not written in digits only is malformed. Types and
 * attributes nobody knows are kept. Blank lines before, between and after items are passed over. More than 1,000
 * items are too large. Protocol E2–E7, E13, E18.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/envelopes/
 */
export function scanItems(body: Uint8Array, start: number): ItemsScan {
  const { items, fault } = scanReadable(body, start);
  return fault ?? { outcome: 'ok', items };
}

/** The items up to the first one that cannot be read, and what is wrong with that one; null where all can be. */
export function scanReadable(
  body: Uint8Array,
  start: number,
): { readonly items: readonly Item[]; readonly fault: Exclude<ItemsScan, { outcome: 'ok' }> | null } {
  const bytes = asBuffer(body);
  const items: Item[] = [];
  for (let at = skipBlankLines(bytes, start); at < bytes.length;) {
    if (items.length === MAX_ITEMS) {
      return { items, fault: { outcome: 'too_large', detail: `more than ${MAX_ITEMS} items` } };
    }
    const item = readItem(bytes, at);
    if (typeof item === 'string') {
      return { items, fault: { outcome: 'malformed', detail: `item ${items.length + 1}: ${item}` } };
    }
    items.push(item);
    at = skipBlankLines(bytes, item.end);
  }
  return { items, fault: null };
}

/** The item whose header starts at `headerStart`, or what is wrong with it. */
function readItem(bytes: Buffer, headerStart: number): Item | string {
  const headerEnd = endOfLine(bytes, headerStart);
  if (headerEnd - headerStart > MAX_ITEM_HEADER_BYTES) return 'header is longer than 4 KiB';
  const header = readItemHeader(bytes.subarray(headerStart, headerEnd));
  if (typeof header === 'string') return header;
  const { type, length, itemCount, attachmentType } = header;
  const payloadStart = Math.min(headerEnd + 1, bytes.length);
  const payloadEnd = length === null ? endOfLine(bytes, payloadStart) : payloadStart + length;
  if (payloadEnd > bytes.length) return 'length runs past the end';
  if (length !== null && payloadEnd < bytes.length && bytes[payloadEnd] !== NEWLINE)
    return 'no newline after the payload';
  const end = Math.min(payloadEnd + 1, bytes.length);
  return { type, headerStart, payloadStart, payloadEnd, end, itemCount, attachmentType };
}

interface ItemHeader extends Pick<Item, 'type' | 'itemCount' | 'attachmentType'> {
  /** Of the payload, bytes; null where it does not say. */
  readonly length: number | null;
}

/**
 * Headers by their text: most events of browsers have the same one, `{"type":"event"}`. Those with a length are
 * different each time, and not kept.
 */
const knownHeaders = new Map<string, ItemHeader>();
const MAX_KNOWN_HEADERS = 64;
const MAX_KNOWN_BYTES = 64;

function readItemHeader(line: Buffer): ItemHeader | string {
  const text = line.length > MAX_KNOWN_BYTES ? null : line.toString('latin1');
  const known = text === null ? undefined : knownHeaders.get(text);
  if (known !== undefined) return known;
  const header = parseItemHeader(line);
  if (text === null || typeof header === 'string' || header.length !== null) return header;
  if (knownHeaders.size === MAX_KNOWN_HEADERS) knownHeaders.clear();
  knownHeaders.set(text, header);
  return header;
}

function parseItemHeader(line: Buffer): ItemHeader | string {
  const header = readHeaderLine(line);
  if (header.outcome === 'malformed') return `header ${header.detail}`;
  const { type, item_count: count, attachment_type: attachmentType, length = null } = header.value;
  if (typeof type !== 'string') return 'header has no type';
  const member = length === null ? undefined : findMember(line, header.members, 'length');
  const digits = member === undefined ? '' : line.toString('latin1', member.valueStart, member.valueEnd);
  // JSON.parse would take 2.0 and 2e0 for 2; upstreams refuse both (E6).
  if (length !== null && !/^\d+$/.test(digits)) return 'length is not a whole number';
  return {
    type,
    length: length === null ? null : Number(digits),
    itemCount: isCount(count) ? count : null,
    attachmentType: typeof attachmentType === 'string' ? attachmentType : null,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Blank lines between items are legal for Relay, and one at the end it refuses; both hold no item. Taking them
 * keeps the error in the store, where a 400 would make the SDK drop it.
 */
function skipBlankLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === NEWLINE) at++;
  return at;
}
