import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import {
  LIFETIMES,
  NO_SENDER,
  type SenderMeta,
  SOURCES,
  type QueuedEnvelope,
} from '../../sink/queued-envelope.ts';

/**
 * Envelopes in the format of thread messages: few large values instead of many small ones. Cloning a batch of objects
 * took a sixth of intake's time; one buffer of bytes, one of numbers and two arrays of texts take a fraction of that.
 */
export interface PackedRows {
  /** Header and stored bytes of each, one after the other; transferred or shared, not copied. */
  readonly bytes: Uint8Array;
  /** {@link NUMBERS} for each. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** {@link TEXTS} for each. */
  readonly texts: readonly (string | null)[];
  /** DSNs of the projects; `numbers` refers to them by index. */
  readonly projects: readonly string[];
}

/**
 * id, class, receivedAtMs, pending, lengths of header and stored, flags, monotonic time or NaN, indexes of project,
 * source, lifetime.
 */
const NUMBERS = 11;
const IS_GZIP = 1;
const HAS_MADE_ID = 2;
/** Event id, sender as JSON, hash of the items. */
const TEXTS = 3;

/** An envelope in the format of the spool's file: sender as JSON, header and one run of bytes. */
export interface EnvelopeRow extends Omit<QueuedEnvelope, 'sender' | 'items' | 'gzipped'> {
  readonly sender: string;
  /** The items as received, or the whole envelope compressed if `isGzip`. */
  readonly stored: Uint8Array;
  readonly isGzip: boolean;
  /** Hash of the items for deduplication; null if not yet computed, then `stored` has the items as received. */
  readonly itemsHash: string | null;
}

/**
 * Copies the envelopes into one buffer; their own bytes are views into the server's read buffers.
 *
 * @param shared memory of both threads, used if the batch fits: a new buffer for each batch would be garbage in two
 * heaps, whose collectors run too late for it.
 */
export function pack(envelopes: readonly EnvelopeRow[], shared?: Uint8Array): PackedRows {
  const total = envelopes.reduce((sum, { header, stored }) => sum + header.length + stored.length, 0);
  const bytes =
    shared !== undefined && total <= shared.length ? shared.subarray(0, total) : new Uint8Array(total);
  const numbers = new Float64Array(envelopes.length * NUMBERS);
  const texts: (string | null)[] = [];
  const projects: string[] = [];
  let offset = 0;
  let number = 0;
  for (const row of envelopes) {
    const { header, stored } = row;
    numbers[number] = row.id;
    numbers[number + 1] = row.class;
    numbers[number + 2] = row.receivedAtMs;
    numbers[number + 3] = row.pending;
    numbers[number + 4] = header.length;
    numbers[number + 5] = stored.length;
    numbers[number + 6] = (row.isGzip ? IS_GZIP : 0) | (row.hasMadeId ? HAS_MADE_ID : 0);
    numbers[number + 7] = row.monotonicAtMs ?? Number.NaN;
    numbers[number + 8] = projectIndex(row.project, projects);
    numbers[number + 9] = SOURCES.indexOf(row.source);
    numbers[number + 10] = LIFETIMES.indexOf(row.lifetime);
    number += NUMBERS;
    texts.push(row.eventId, row.sender, row.itemsHash);
    bytes.set(header, offset);
    bytes.set(stored, offset + header.length);
    offset += header.length + stored.length;
  }
  return { bytes, numbers, texts, projects };
}

/** Returns the index of a project; adds it to the list if absent. */
function projectIndex(project: string, projects: string[]): number {
  const index = projects.indexOf(project);
  return index >= 0 ? index : projects.push(project) - 1;
}

/** Returns the buffers to transfer with a message; shared memory is not transferred. */
export function buffersOf({ bytes, numbers }: PackedRows): ArrayBuffer[] {
  return bytes.buffer instanceof ArrayBuffer ? [bytes.buffer, numbers.buffer] : [numbers.buffer];
}

/** Unpacks envelopes; their bytes are views into the one buffer. */
export function unpack({ bytes, numbers, texts, projects }: PackedRows): readonly EnvelopeRow[] {
  let offset = 0;
  const take = (length: number): Uint8Array => bytes.subarray(offset, (offset += length));
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => {
    const numberOf = (which: number): number => numbers[index * NUMBERS + which] ?? 0;
    const flags = numberOf(6);
    const monotonicAtMs = numberOf(7);
    const text = index * TEXTS;
    return {
      id: numberOf(0),
      class: numberOf(1) as EnvelopeClass,
      receivedAtMs: numberOf(2),
      pending: numberOf(3),
      header: take(numberOf(4)),
      stored: take(numberOf(5)),
      isGzip: (flags & IS_GZIP) !== 0,
      hasMadeId: (flags & HAS_MADE_ID) !== 0,
      monotonicAtMs: Number.isNaN(monotonicAtMs) ? null : monotonicAtMs,
      project: projects[numberOf(8)] ?? '',
      source: SOURCES[numberOf(9)] ?? 'tunnel',
      lifetime: LIFETIMES[numberOf(10)] ?? 'other',
      eventId: texts[text] ?? null,
      sender: texts[text + 1] ?? '{}',
      itemsHash: texts[text + 2] ?? null,
    };
  });
}

/** Unpacks decompressed rows into the envelopes that sinks get; those with an unreadable sender have {@link NO_SENDER}. */
export function envelopesOf(rows: PackedRows): {
  readonly envelopes: readonly QueuedEnvelope[];
  /** Ids of those. */
  readonly senderless: readonly number[];
} {
  const envelopes = unpack(rows).map(envelopeOf);
  const senderless = envelopes.filter(({ sender }) => sender === NO_SENDER);
  return { envelopes, senderless: senderless.map(({ id }) => id) };
}

function envelopeOf(row: EnvelopeRow): QueuedEnvelope {
  const { sender, stored, isGzip: _, itemsHash: __, ...rest } = row;
  return { ...rest, sender: senderOf(sender), items: stored, gzipped: null };
}

function senderOf(json: string): SenderMeta {
  try {
    const sender = JSON.parse(json) as SenderMeta | null;
    return typeof sender === 'object' && sender !== null ? sender : NO_SENDER;
  } catch {
    return NO_SENDER;
  }
}
