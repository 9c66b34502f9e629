import { EnvelopeOutbox } from './envelope-outbox.ts';
import type { OutboxEnvelope, OutboxHead } from './queued-envelope.ts';
import { PrefixedStorage } from './prefixed-storage.ts';

/** Errors waiting for the outbox; more are a storm, and the first ones are enough to diagnose it. */
const MAX_ENTRIES = 10;
/** Twice a large error envelope; ten of them leave most of an origin's 5 MiB to the application. */
const MAX_BYTES = 80 * 1024;

/** Converts bytes to text, one character for each byte, so that any content survives. */
function decodeBody(body: Uint8Array): string {
  return Array.from(body, (byte) => String.fromCharCode(byte)).join('');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Parses a journal entry; null for another format. */
function envelopeOf(id: string, entry: unknown): OutboxEnvelope | null {
  if (!Array.isArray(entry)) return null;
  const [queuedAtMs, text]: readonly unknown[] = entry;
  if (typeof queuedAtMs !== 'number' || typeof text !== 'string') return null;
  const body = bytesOf(text);
  return { id, isError: true, queuedAtMs, bytes: body.length, body };
}

/**
 * Puts a journal in localStorage in front of a slow outbox; writing to it is synchronous. A new IndexedDB on a busy
 * disk takes more than a second to open, and a closing page cancels its open transactions: with a tunnel that hangs,
 * the error would be lost. Entries are moved to the outbox under their own IDs, by this page or the next one, so moving
 * one twice changes nothing. Without localStorage it works like the inner outbox.
 */
export class JournaledOutbox extends EnvelopeOutbox {
  readonly #outbox: EnvelopeOutbox;
  readonly #journal: PrefixedStorage;
  readonly #opened: Promise<void>;

  /** @param name of the outbox; journals of others are not touched. */
  constructor(outbox: EnvelopeOutbox, page: Window, name: string) {
    super();
    this.#outbox = outbox;
    this.#journal = new PrefixedStorage(page, `${name} `);
    this.#opened = this.#open();
    // Methods that read the outbox report the error.
    this.#opened.catch(() => undefined);
  }

  async add(envelope: OutboxEnvelope): Promise<void> {
    const isNoted = envelope.isError && this.#note(envelope);
    await this.#outbox.add(envelope);
    if (isNoted) this.#journal.remove(envelope.id);
  }

  async heads(): Promise<readonly OutboxHead[]> {
    await this.#opened;
    return this.#outbox.heads();
  }

  read(head: OutboxHead): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#outbox.read(head);
  }

  remove(head: OutboxHead): Promise<void> {
    return this.#outbox.remove(head);
  }

  /** Moves the journal of earlier pages into the outbox. */
  async #open(): Promise<void> {
    for (const id of this.#journal.ids()) {
      const envelope = envelopeOf(id, this.#journal.read(id));
      if (envelope !== null) await this.#outbox.add(envelope);
      this.#journal.remove(id);
    }
  }

  #note({ id, queuedAtMs, bytes, body }: OutboxEnvelope): boolean {
    if (bytes > MAX_BYTES || this.#journal.ids().length >= MAX_ENTRIES) return false;
    return this.#journal.write(id, [queuedAtMs, decodeBody(body)]);
  }
}
