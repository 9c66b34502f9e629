import { asBuffer, endOfLine } from '../../envelope/bytes.ts';
import { isForStore, isMinidump, isReport } from '../../envelope/envelope-class.ts';
import { findText, readHeaderLine } from '../../envelope/header-line.ts';
import { type Item, scanItems } from '../../envelope/items.ts';
import { keptAddress } from '../../net/client-address.ts';
import { type EnvelopeSource, type QueuedEnvelope, sourceNamed } from '../../sink/queued-envelope.ts';

/** The parts of a spooled envelope that the store's thread needs. */
export interface StoreEnvelope {
  readonly project: string;
  readonly source: EnvelopeSource;
  readonly receivedAtMs: number;
  readonly eventId: string | null;
  /** Network of the sender, /24 or /48; null without an address, see SenderMeta. */
  readonly network: string | null;
  readonly userAgent: string | null;
  /** `name/version` of the sender's SDK, see SenderMeta. */
  readonly sdk: string | null;
  /** Host by which the sender knows this server, see SenderMeta. */
  readonly host: string | null;
  /** `sent_at` of the header, see EnvelopeTimes. */
  readonly sentAt: string | null;
  /** The items for the store; null where the envelope could not be scanned. */
  readonly items: readonly StoreItem[] | null;
}

export interface StoreItem {
  /** `attachment` is a minidump, without its bytes: only the upstream can read it. */
  readonly type: string;
  readonly payload: Uint8Array;
  /** Release and environment of a browser report, from the item's header. Null for all other items. */
  readonly release: string | null;
  readonly environment: string | null;
}

/**
 * A batch on its way into the thread: three large values instead of hundreds of small ones. Transferring a buffer for
 * each envelope cost the main thread a third of the store's own time.
 */
export interface PackedStoreBatch {
  /** The payloads, concatenated in new memory: another sink may be sending the envelope's. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For each envelope its arrival, the number of items (or {@link UNREADABLE}), and the bytes of each item. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** For each envelope project, source, event id, address, user agent, SDK, host, `sent_at`, and for each item its type and {@link namesOf}. */
  readonly texts: readonly (string | null)[];
}

const UNREADABLE = -1;

/** Copies the items for the store: an error of 3 KiB may be sent with a replay of 10 MiB. */
export function packForStore(envelopes: readonly QueuedEnvelope[]): PackedStoreBatch {
  const payloads: Uint8Array[] = [];
  const numbers: number[] = [];
  const texts: (string | null)[] = [];
  for (const { project, source, receivedAtMs, eventId, sender, header, items } of envelopes) {
    const scan = scanItems(items, 0);
    const wanted = scan.outcome === 'ok' ? scan.items.filter(isForStore) : [];
    const sentAt = findText(asBuffer(header), 'sent_at') ?? null;
    const { address, userAgent, sdk, host = null } = sender;
    texts.push(project, source, eventId, address, userAgent, sdk, host, sentAt);
    numbers.push(receivedAtMs, scan.outcome === 'ok' ? wanted.length : UNREADABLE);
    for (const item of wanted) {
      const { type, payloadStart } = item;
      const payloadEnd = isMinidump(item) ? payloadStart : item.payloadEnd;
      texts.push(type, ...namesOf(items, item));
      numbers.push(payloadEnd - payloadStart);
      payloads.push(items.subarray(payloadStart, payloadEnd));
    }
  }
  return { bytes: joined(payloads), numbers: Float64Array.from(numbers), texts };
}

/**
 * Returns release and environment of a browser report, and nothing for any other item. They are in the item's header,
 * where Relay puts them, too (relay-server/src/endpoints/security_report.rs).
 */
function namesOf(bytes: Uint8Array, { type, headerStart }: Item): readonly (string | null)[] {
  if (!isReport(type)) return [];
  const buffer = asBuffer(bytes);
  const header = readHeaderLine(buffer.subarray(headerStart, endOfLine(buffer, headerStart)));
  const { sentry_release: release, sentry_environment: environment } =
    header.outcome === 'ok' ? header.value : {};
  return [release, environment].map((name) => (typeof name === 'string' ? name : null));
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((bytes, part) => bytes + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

/** Unpacks the envelopes; their payloads are views into the one buffer. */
export function unpackForStore({ bytes, numbers, texts }: PackedStoreBatch): readonly StoreEnvelope[] {
  const envelopes: StoreEnvelope[] = [];
  let number = 0;
  let text = 0;
  let at = 0;
  const item = (): StoreItem => {
    const type = texts[text++] ?? '';
    const [release = null, environment = null] = isReport(type) ? texts.slice(text, (text += 2)) : [];
    return { type, release, environment, payload: bytes.subarray(at, (at += numbers[number++] ?? 0)) };
  };
  while (number < numbers.length) {
    const [project, source, eventId, address, userAgent, sdk, host, sentAt] = texts.slice(text, (text += 8));
    const [receivedAtMs = 0, count = UNREADABLE] = numbers.subarray(number, (number += 2));
    envelopes.push({
      project: project ?? '',
      source: sourceNamed(source),
      receivedAtMs,
      eventId: eventId ?? null,
      network: keptAddress(address ?? '', 'truncated'),
      userAgent: userAgent ?? null,
      sdk: sdk ?? null,
      host: host ?? null,
      sentAt: sentAt ?? null,
      items: count === UNREADABLE ? null : Array.from({ length: count }, item),
    });
  }
  return envelopes;
}
