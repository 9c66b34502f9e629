import { asBuffer, endOfLine } from '../envelope/bytes.ts';
import { type Item, scanItems } from '../envelope/items.ts';
import { parseBoundedJson } from '../scrub/bounded-json.ts';
import { newScrubBudget, type ScrubBudget, scrubEvent } from '../scrub/scrub-event.ts';

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
/**
 * Bytes by which a scrubbed envelope may exceed the original. `[Filtered]` and `[Truncated]` are longer than a digit or a
 * letter: 20 MiB of these are made to fill the memory.
 */
const MAX_GROWTH_BYTES = 4 * 2 ** 20;
const NEWLINE = Buffer.from('\n');

/** Reports an envelope that cannot be parsed within limits: its secrets cannot be found. */
class Unscrubbable extends Error {
  override readonly name = 'Unscrubbable';
}

/**
 * Returns the items of an envelope with the secrets removed from the JSON ones, which are serialised again. One item after the
 * other is parsed; only their scrubbed bytes are in memory together.
 *
 * @throws Unscrubbable
 */
export function scrubbedItems(items: Uint8Array): Uint8Array {
  const bytes = asBuffer(items);
  const scan = scanItems(bytes, 0);
  if (scan.outcome !== 'ok') throw new Unscrubbable(`its items cannot be read: ${scan.detail}`);
  const budget = newScrubBudget();
  const parts: Uint8Array[] = [];
  let left = bytes.length + MAX_GROWTH_BYTES;
  for (const item of scan.items) {
    for (const part of partsOf(bytes, item, budget)) {
      parts.push(part);
      left -= part.length;
    }
    if (left < 0) throw new Unscrubbable('its scrubbed copy is more than 4 MiB larger');
  }
  return Buffer.concat(parts);
}

function partsOf(bytes: Buffer, item: Item, budget: ScrubBudget): readonly Uint8Array[] {
  const { type, headerStart, payloadStart, payloadEnd } = item;
  if (UNSCRUBBED_TYPES.has(type)) return [bytes.subarray(headerStart, payloadEnd), NEWLINE];
  const scrubbed = scrubEvent(parsed(type, bytes.subarray(payloadStart, payloadEnd)), budget);
  const payload = Buffer.from(JSON.stringify(scrubbed));
  return [headerOf(bytes, headerStart, payload.length), NEWLINE, payload, NEWLINE];
}

function parsed(type: string, payload: Buffer): unknown {
  const json = parseBoundedJson(payload);
  if (json.outcome === 'parsed') return json.value;
  const fault = json.outcome === 'unfit' ? 'is too large, too deep or has too many values' : 'is not JSON';
  throw new Unscrubbable(`its item of type ${JSON.stringify(type.slice(0, 40))} ${fault}`);
}

/** Returns the item's header with the new payload length. */
function headerOf(bytes: Buffer, start: number, length: number): Buffer {
  const header = JSON.parse(bytes.subarray(start, endOfLine(bytes, start)).toString()) as object;
  return Buffer.from(JSON.stringify({ ...header, length }));
}
