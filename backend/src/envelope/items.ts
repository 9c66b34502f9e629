import { asBuffer, endOfLine, NEWLINE } from './bytes.ts';
import { findMember, readHeaderLine } from './header-line.ts';

/** Maximum number of items in one envelope, which bounds a scan (protocol E18). */
export const MAX_ITEMS = 1_000;
/** Maximum length of an item's header line, bytes without its newline (threat S2); the longest of a real SDK was 148. */
export const MAX_ITEM_HEADER_BYTES = 4 * 1024;

/** One item of an envelope, as offsets into the scanned bytes; ends are exclusive. */
export interface Item {
  readonly type: string;
  readonly headerStart: number;
  readonly payloadStart: number;
  readonly payloadEnd: number;
  /** After the item's newline, or the end of the bytes without one. */
  readonly end: number;
  /** Number of logs, spans or metrics in the payload, by the item's header; null without one. */
  readonly itemCount: number | null;
  /** Kind of an attachment (`event.minidump`); null for other items. */
  readonly attachmentType: string | null;
}

export type ItemsScan =
  | { readonly outcome: 'ok'; readonly items: readonly Item[] }
  | { readonly outcome: 'malformed'; readonly detail: string }
  | { readonly outcome: 'too_large'; readonly detail: string };

/**
 * Finds the items from `start` to the end of the bytes. It reads no payload and copies no bytes.
 *
 * Without `length` a payload ends at the next newline; with it, it has exactly that many bytes, and a newline or the
 * end must follow. A null means no length; a length with other characters than digits is malformed. Unknown types and
 * attributes are accepted. Blank lines before, between and after items are skipped. More than 1,000 items are too
 * large. Protocol E2–E7, E13, E18.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/envelopes/
 */
export function scanItems(body: Uint8Array, start: number): ItemsScan {
  const { items, fault } = scanReadable(body, start);
  return fault ?? { outcome: 'ok', items };
}

/** Returns the items before the first one that cannot be read, and the error of that one; null if all can be read. */
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

/** Returns the item whose header starts at `headerStart`, or a text for the client about the error in it. */
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
  /** Length of the payload, bytes; null without one. */
  readonly length: number | null;
}

/**
 * Cache of parsed headers by their text: most events of browsers have the same one, `{"type":"event"}`. Headers with a
 * length differ each time and are not cached.
 */
const cachedHeaders = new Map<string, ItemHeader>();
const MAX_CACHED_HEADERS = 64;
const MAX_CACHED_BYTES = 64;

function readItemHeader(line: Buffer): ItemHeader | string {
  const text = line.length > MAX_CACHED_BYTES ? null : line.toString('latin1');
  const cached = text === null ? undefined : cachedHeaders.get(text);
  if (cached !== undefined) return cached;
  const header = parseItemHeader(line);
  if (text === null || typeof header === 'string' || header.length !== null) return header;
  if (cachedHeaders.size === MAX_CACHED_HEADERS) cachedHeaders.clear();
  cachedHeaders.set(text, header);
  return header;
}

function parseItemHeader(line: Buffer): ItemHeader | string {
  const header = readHeaderLine(line);
  if (header.outcome === 'malformed') return `header ${header.detail}`;
  const { type, item_count: count, attachment_type: attachmentType, length = null } = header.value;
  if (typeof type !== 'string') return 'header has no type';
  const member = length === null ? undefined : findMember(line, header.members, 'length');
  const digits = member === undefined ? '' : line.toString('latin1', member.valueStart, member.valueEnd);
  // JSON.parse reads 2.0 and 2e0 as 2; upstreams reject both (E6).
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
 * Relay accepts blank lines between items and rejects one at the end. Both are accepted here, because a 400 would
 * make the SDK drop the error.
 */
function skipBlankLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === NEWLINE) at++;
  return at;
}
