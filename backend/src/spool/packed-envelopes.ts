import type { EnvelopeSource, SenderMeta, SpooledEnvelope } from './spooled-envelope.ts';

/**
 * Envelopes as they cross the thread border: few large values instead of many small ones. Cloning a batch of
 * objects cost a sixth of intake's time; one buffer of bytes, one of numbers and one array of texts cost a fraction.
 */
export interface PackedEnvelopes {
  /** Header and items of each, one after the other; handed over, not copied. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** {@link NUMBERS} for each. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** {@link TEXTS} for each. */
  readonly texts: readonly (string | null)[];
}

/** id, class, receivedAtMs, pending, bytes of the header, bytes of the items. */
const NUMBERS = 6;
/** project, source, event id, sender as JSON. */
const TEXTS = 4;

/** An envelope whose sender stays JSON, as the spool's file has it. */
export interface EnvelopeRow extends Omit<SpooledEnvelope, 'sender'> {
  readonly sender: string;
}

/** Copies the envelopes into fresh memory: theirs may be the server's read buffers. */
export function pack(envelopes: readonly EnvelopeRow[]): PackedEnvelopes {
  const total = envelopes.reduce((sum, { header, items }) => sum + header.length + items.length, 0);
  const bytes = new Uint8Array(total);
  const numbers = new Float64Array(envelopes.length * NUMBERS);
  const texts: (string | null)[] = [];
  let offset = 0;
  for (const [index, envelope] of envelopes.entries()) {
    const { id, class: rank, receivedAtMs, pending, header, items } = envelope;
    numbers.set([id, rank, receivedAtMs, pending, header.length, items.length], index * NUMBERS);
    texts.push(envelope.project, envelope.source, envelope.eventId, envelope.sender);
    bytes.set(header, offset);
    bytes.set(items, offset + header.length);
    offset += header.length + items.length;
  }
  return { bytes, numbers, texts };
}

/** The buffers to hand over with a message. */
export function buffersOf({ bytes, numbers }: PackedEnvelopes): ArrayBuffer[] {
  return [bytes.buffer, numbers.buffer];
}

/** The envelopes again; their bytes are views into the one buffer. */
export function unpack({ bytes, numbers, texts }: PackedEnvelopes): readonly EnvelopeRow[] {
  let offset = 0;
  const take = (length: number): Uint8Array => bytes.subarray(offset, (offset += length));
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => {
    const [id = 0, rank = 0, receivedAtMs = 0, pending = 0, headerBytes = 0, itemsBytes = 0] =
      numbers.subarray(index * NUMBERS, (index + 1) * NUMBERS);
    const [project, source, eventId, sender] = texts.slice(index * TEXTS, (index + 1) * TEXTS);
    return {
      id,
      project: project ?? '',
      source: (source ?? 'tunnel') as EnvelopeSource,
      class: rank,
      receivedAtMs,
      eventId: eventId ?? null,
      sender: sender ?? '{}',
      header: take(headerBytes),
      items: take(itemsBytes),
      pending,
    };
  });
}

/** A row as the rest of the process knows it. */
export function envelopeOf(row: EnvelopeRow): SpooledEnvelope {
  return { ...row, sender: JSON.parse(row.sender) as SenderMeta };
}
