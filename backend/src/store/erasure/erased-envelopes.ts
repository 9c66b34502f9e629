import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { isForStore, isReport } from '../../envelope/envelope-class.ts';
import { type Item, scanItems } from '../../envelope/items.ts';
import { parseBounded } from '../../scrub/bounded-json.ts';
import { eventIdOf } from '../../envelope/event-id.ts';
import type { ProjectBytes, SpooledBytes } from '../../sink/queued-envelope.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { namesIn, namesInText } from '../event/names-in.ts';

/** The event ids and user names in an envelope. */
interface Content {
  readonly eventIds: readonly string[];
  readonly names: readonly string[];
}

/** Returns the ids of the envelopes that a rule matches. An envelope is erased as a whole, with its attachments. */
export function erasedAmong(
  rules: readonly ErasureRule[],
  envelopes: readonly ProjectBytes[],
): readonly number[] {
  const byContent = rules.filter(({ kind }) => kind !== 'before');
  return envelopes
    .filter((envelope) => {
      const { receivedAtMs: receivedMs, project } = envelope;
      const before = rules.filter(({ kind }) => kind === 'before');
      if (isErased(before, { receivedMs, project, ...NOTHING })) return true;
      if (byContent.length === 0) return false;
      const { eventIds, names } = contentOf(envelope);
      return isErased(byContent, { receivedMs, project, eventIds, names: () => names });
    })
    .map(({ id }) => id);
}

const NOTHING = { eventIds: [], names: () => [] };
/** Largest decoded envelope; larger ones, which ERRATA_ENVELOPE_MAX_BYTES may allow, are read as text. */
const MAX_INFLATED_BYTES = 256 * 2 ** 20;
const EVENT_ID = /"(?:event_id|associated_event_id)"\s*:\s*"([\da-fA-F-]{32,36})"/g;
const OPEN_OBJECT = 0x7b;

function contentOf(envelope: SpooledBytes): Content {
  const own = { eventIds: envelope.eventId === null ? [] : [envelope.eventId], names: [] };
  const bytes = itemsOf(envelope);
  const header = parseBounded(envelope.header);
  const fromHeader = { eventIds: [], names: header === undefined ? [] : namesInTrace(header) };
  const scan = bytes === undefined ? undefined : scanItems(bytes, 0);
  if (bytes === undefined || scan?.outcome !== 'ok') {
    return joined([own, fromHeader, contentOfText(bytes ?? envelope.stored)]);
  }
  return joined([own, fromHeader, ...scan.items.map((item) => contentOfItem(bytes, item))]);
}

/** Returns the items' bytes; undefined where compressed bytes are cut or corrupt. */
function itemsOf({ header, stored, isGzip }: SpooledBytes): Uint8Array | undefined {
  if (isGzip === 0) return stored;
  try {
    return gunzipSync(stored, { maxOutputLength: MAX_INFLATED_BYTES }).subarray(header.length + 1);
  } catch {
    return undefined;
  }
}

function contentOfItem(bytes: Uint8Array, item: Item): Content {
  const { type, payloadStart, payloadEnd } = item;
  const payload = bytes.subarray(payloadStart, payloadEnd);
  // JSON of the SDKs begins with a brace; recordings, binary profiles and attachments do not.
  if (payload[0] !== OPEN_OBJECT) return { eventIds: [], names: [] };
  const body = parseBounded(payload);
  if (body === undefined) return contentOfText(payload);
  // The store uses a hash of the bytes as the id of an item without one.
  const byBytes = isForStore(item) && !isReport(type) ? [hash('sha256', payload, 'hex').slice(0, 32)] : [];
  const feedback = fieldsAt(body, 'contexts', 'feedback');
  const ids = [body['event_id'], feedback['associated_event_id']].map(eventIdOf).filter((id) => id !== null);
  return { eventIds: [...ids, ...byBytes], names: namesIn(body) };
}

/** Reads unparsable bytes: everything that could be a name counts as one. */
function contentOfText(bytes: Uint8Array): Content {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const ids = [...text.matchAll(EVENT_ID)].map(([, id]) => eventIdOf(id)).filter((id) => id !== null);
  return { eventIds: ids, names: namesInText(text) };
}

/** Returns the names in the trace header, which older SDKs send. */
function namesInTrace(header: Fields): readonly string[] {
  const trace = fieldsAt(header, 'trace');
  return namesIn({ user: { ...fieldsAt(trace, 'user'), username: trace['user_id'] } });
}

function joined(contents: readonly Content[]): Content {
  return {
    eventIds: contents.flatMap(({ eventIds }) => eventIds),
    names: contents.flatMap(({ names }) => names),
  };
}
