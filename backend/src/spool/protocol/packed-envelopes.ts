import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import { LIFETIMES, type SenderMeta, SOURCES, type QueuedEnvelope } from '../../sink/queued-envelope.ts';

/**
 * Envelopes as they cross the thread border: few large values instead of many small ones. Cloning a batch of
 * objects cost a sixth of intake's time; one buffer of bytes, one of numbers and two arrays of texts cost a fraction.
 */
export interface PackedEnvelopes {
  /** Header and stored bytes of each, one after the other; handed over or shared, not copied. */
  readonly bytes: Uint8Array;
  /** {@link NUMBERS} for each. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** {@link TEXTS} for each. */
  readonly texts: readonly (string | null)[];
  /** Projects, as the numbers name them by their place. */
  readonly projects: readonly string[];
}

/** id, class, receivedAtMs, pending, bytes of header and of what is stored, flags, steadyAtMs or NaN, then places. */
const NUMBERS = 11;
const IS_GZIP = 1;
const HAS_MADE_ID = 2;
/** event id, sender as JSON, hash of the items. */
const TEXTS = 3;

/** An envelope as the spool's file has it: sender as JSON, one run of bytes beside the header. */
export interface EnvelopeRow extends Omit<QueuedEnvelope, 'sender' | 'items' | 'gzipped'> {
  readonly sender: string;
  /** The items as they came, or where `isGzip` the whole envelope compressed. */
  readonly stored: Uint8Array;
  readonly isGzip: boolean;
  /** Hash of the items for the recognition of repeats; null: not yet taken, `stored` has them as they came. */
  readonly itemsHash: string | null;
}

/**
 * Copies the envelopes together: theirs are the server's read buffers.
 *
 * @param shared memory that both threads see, used where they fit; fresh memory for each batch is garbage in two
 * heaps, whose collectors do not hurry for it.
 */
export function pack(envelopes: readonly EnvelopeRow[], shared?: Uint8Array): PackedEnvelopes {
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
    numbers[number + 7] = row.steadyAtMs ?? Number.NaN;
    numbers[number + 8] = placeOf(row.project, projects);
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

/** Where a project stands; at the end of the list from now on, if it was not in it. */
function placeOf(project: string, projects: string[]): number {
  const place = projects.indexOf(project);
  return place >= 0 ? place : projects.push(project) - 1;
}

/** The buffers to hand over with a message; shared memory needs no handing over. */
export function buffersOf({ bytes, numbers }: PackedEnvelopes): ArrayBuffer[] {
  return bytes.buffer instanceof ArrayBuffer ? [bytes.buffer, numbers.buffer] : [numbers.buffer];
}

/** The envelopes again; their bytes are views into the one buffer. */
export function unpack({ bytes, numbers, texts, projects }: PackedEnvelopes): readonly EnvelopeRow[] {
  let offset = 0;
  const take = (length: number): Uint8Array => bytes.subarray(offset, (offset += length));
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => {
    const numberOf = (which: number): number => numbers[index * NUMBERS + which] ?? 0;
    const flags = numberOf(6);
    const steadyAtMs = numberOf(7);
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
      steadyAtMs: Number.isNaN(steadyAtMs) ? null : steadyAtMs,
      project: projects[numberOf(8)] ?? '',
      source: SOURCES[numberOf(9)] ?? 'tunnel',
      lifetime: LIFETIMES[numberOf(10)] ?? 'other',
      eventId: texts[text] ?? null,
      sender: texts[text + 1] ?? '{}',
      itemsHash: texts[text + 2] ?? null,
    };
  });
}

/** A claimed row, whose bytes were unpacked, as the rest of the process knows it. */
export function envelopeOf(row: EnvelopeRow): QueuedEnvelope {
  const { sender, stored, isGzip: _, itemsHash: __, ...rest } = row;
  return { ...rest, sender: JSON.parse(sender) as SenderMeta, items: stored, gzipped: null };
}
