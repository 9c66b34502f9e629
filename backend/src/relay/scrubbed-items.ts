import { asBuffer, endOfLine } from '../envelope/bytes.ts';
import { type Item, scanItems } from '../envelope/items.ts';
import { scrubEvent } from '../scrub/scrub-event.ts';

/**
 * Types that are passed on as they are: recordings and attachments are nobody's JSON, profiles and counts name code and
 * no people, and the scrubber would cut their long lists.
 */
const AS_THEY_ARE: ReadonlySet<string> = new Set([
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

/** Something in an envelope cannot be read, so that nobody can say what secrets are in it. */
class Unscrubbable extends Error {
  override readonly name = 'Unscrubbable';
}

/**
 * The items of an envelope with the secrets taken out of those that are JSON, each of which is written anew.
 *
 * @throws Unscrubbable
 */
export function scrubbedItems(items: Uint8Array): Uint8Array {
  const bytes = asBuffer(items);
  const scan = scanItems(bytes, 0);
  if (scan.outcome !== 'ok') throw new Unscrubbable(`its items cannot be told apart: ${scan.detail}`);
  return Buffer.concat(scan.items.flatMap((item) => partsOf(bytes, item)));
}

function partsOf(bytes: Buffer, item: Item): readonly Uint8Array[] {
  const { type, headerStart, payloadStart, payloadEnd } = item;
  if (AS_THEY_ARE.has(type)) return [bytes.subarray(headerStart, payloadEnd), NEWLINE];
  const scrubbed = JSON.stringify(scrubEvent(parsed(type, bytes.subarray(payloadStart, payloadEnd))));
  const payload = Buffer.from(scrubbed);
  return [headerOf(bytes, headerStart, payload.length), NEWLINE, payload, NEWLINE];
}

function parsed(type: string, payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    throw new Unscrubbable(`its item of type ${JSON.stringify(type.slice(0, 40))} is no JSON`);
  }
}

/** The item's header with its new length. */
function headerOf(bytes: Buffer, start: number, length: number): Buffer {
  const header = JSON.parse(bytes.subarray(start, endOfLine(bytes, start)).toString()) as object;
  return Buffer.from(JSON.stringify({ ...header, length }));
}
