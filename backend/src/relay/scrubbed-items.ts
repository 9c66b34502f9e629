import { asBuffer, endOfLine } from '../envelope/bytes.ts';
import { type Item, scanItems } from '../envelope/items.ts';
import { parseExact } from '../scrub/exact-json.ts';
import { scrubEvent } from '../scrub/scrub-event.ts';

/**
 * Item types that are passed on unchanged. Recordings and attachments are not JSON. Profiles and counts name code, not
 * people, and the scrubber would truncate their long lists.
 */
const UNSCRUBBED_TYPES: ReadonlySet<string> = new Set([
  'attachment',
  'form_data',
  'unreal_report',
  'replay_recording',
  'replay_video',
  'profile',
  'profile_chunk',
  'session',
  'sessions',
  'client_report',
  'statsd',
  'metric_buckets',
]);
const NEWLINE = Buffer.from('\n');

/** Reports an envelope that cannot be parsed: its secrets cannot be found. */
class Unscrubbable extends Error {
  override readonly name = 'Unscrubbable';
}

/**
 * Returns the items of an envelope with the secrets removed from the JSON ones, which are serialised again.
 *
 * @throws Unscrubbable
 */
export function scrubbedItems(items: Uint8Array): Uint8Array {
  const bytes = asBuffer(items);
  const scan = scanItems(bytes, 0);
  if (scan.outcome !== 'ok') throw new Unscrubbable(`its items cannot be read: ${scan.detail}`);
  return Buffer.concat(scan.items.flatMap((item) => partsOf(bytes, item)));
}

function partsOf(bytes: Buffer, item: Item): readonly Uint8Array[] {
  const { type, headerStart, payloadStart, payloadEnd } = item;
  if (UNSCRUBBED_TYPES.has(type)) return [bytes.subarray(headerStart, payloadEnd), NEWLINE];
  const scrubbed = JSON.stringify(scrubEvent(parsed(type, bytes.subarray(payloadStart, payloadEnd))));
  const payload = Buffer.from(scrubbed);
  return [headerOf(bytes, headerStart, payload.length), NEWLINE, payload, NEWLINE];
}

function parsed(type: string, payload: Buffer): unknown {
  try {
    return parseExact(payload.toString());
  } catch {
    throw new Unscrubbable(`its item of type ${JSON.stringify(type.slice(0, 40))} is not JSON`);
  }
}

/** Returns the item's header with the new payload length. */
function headerOf(bytes: Buffer, start: number, length: number): Buffer {
  const header = JSON.parse(bytes.subarray(start, endOfLine(bytes, start)).toString()) as object;
  return Buffer.from(JSON.stringify({ ...header, length }));
}
