import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { isForStore, isReport } from '../../envelope/envelope-class.ts';
import { type Item, scanItems } from '../../envelope/items.ts';
import { parseBounded } from '../event/bounded-json.ts';
import { eventIdOf } from '../../envelope/event-id.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { namesIn, namesInText } from '../event/names-in.ts';

/** An envelope that waits in a spool, or a dead letter. */
export interface QueuedBytes {
  readonly id: number;
  readonly receivedAtMs: number;
  readonly eventId: string | null;
  readonly header: Uint8Array;
  /** The items; the whole envelope, compressed, where `isGzip` is 1. */
  readonly stored: Uint8Array;
  readonly isGzip: number;
}

/** What an envelope says of whom and what it is about. */
interface Content {
  readonly eventIds: readonly string[];
  readonly names: readonly string[];
}

/** Ids of those that the rules have forgotten. An envelope goes as a whole, with all that is attached. */
export function erasedAmong(
  rules: readonly ErasureRule[],
  envelopes: readonly QueuedBytes[],
): readonly number[] {
  const byContent = rules.filter(({ kind }) => kind !== 'before');
  return envelopes
    .filter((envelope) => {
      const receivedMs = envelope.receivedAtMs;
      if (
        isErased(
          rules.filter(({ kind }) => kind === 'before'),
          { receivedMs, ...NOTHING },
        )
      )
        return true;
      if (byContent.length === 0) return false;
      const { eventIds, names } = contentOf(envelope);
      return isErased(byContent, { receivedMs, eventIds, names: () => names });
    })
    .map(({ id }) => id);
}

const NOTHING = { eventIds: [], names: () => [] };
/** Largest envelope, decoded; ERRATA_ENVELOPE_MAX_BYTES may allow more, which is then read as text. */
const MAX_INFLATED_BYTES = 256 * 2 ** 20;
const EVENT_ID = /"(?:event_id|associated_event_id)"\s*:\s*"([\da-fA-F-]{32,36})"/g;
const OPEN_OBJECT = 0x7b;

function contentOf(envelope: QueuedBytes): Content {
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

/** Undefined where compressed bytes were cut or rotted. */
function itemsOf({ header, stored, isGzip }: QueuedBytes): Uint8Array | undefined {
  if (isGzip === 0) return stored;
  try {
    return gunzipSync(stored, { maxOutputLength: MAX_INFLATED_BYTES }).subarray(header.length + 1);
  } catch {
    return undefined;
  }
}

function contentOfItem(bytes: Uint8Array, { type, payloadStart, payloadEnd }: Item): Content {
  const payload = bytes.subarray(payloadStart, payloadEnd);
  // The SDKs' JSON begins so; recordings, profiles in binary and attachments do not.
  if (payload[0] !== OPEN_OBJECT) return { eventIds: [], names: [] };
  const body = parseBounded(payload);
  if (body === undefined) return contentOfText(payload);
  // The store knows what has no id by its bytes.
  const byBytes = isForStore(type) && !isReport(type) ? [hash('sha256', payload, 'hex').slice(0, 32)] : [];
  const feedback = fieldsAt(body, 'contexts', 'feedback');
  const ids = [body['event_id'], feedback['associated_event_id']].map(eventIdOf).filter((id) => id !== null);
  return { eventIds: [...ids, ...byBytes], names: namesIn(body) };
}

/** What cannot be read as what it is: whatever could be a name in it is one. */
function contentOfText(bytes: Uint8Array): Content {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const ids = [...text.matchAll(EVENT_ID)].map(([, id]) => eventIdOf(id)).filter((id) => id !== null);
  return { eventIds: ids, names: namesInText(text) };
}

/** Older SDKs name the person in the trace, too. */
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
