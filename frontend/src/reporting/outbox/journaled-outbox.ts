import { EnvelopeOutbox } from './envelope-outbox.ts';
import type { OutboxEnvelope, OutboxHead } from './queued-envelope.ts';
import { PrefixedStorage } from './prefixed-storage.ts';

/** Errors in the moment before the outbox has them; more of them are a storm, of which the first ones tell. */
const MAX_ENTRIES = 10;
/** Twice a large error envelope: ten of them leave most of an origin's 5 MiB to the application. */
const MAX_BYTES = 80 * 1024;

/** One byte, one character: whatever is in an envelope comes back as it was. */
function textOf(body: Uint8Array): string {
  return Array.from(body, (byte) => String.fromCharCode(byte)).join('');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Null for what is none of ours. */
function envelopeOf(id: string, entry: unknown): OutboxEnvelope | null {
  if (!Array.isArray(entry)) return null;
  const [queuedAtMs, text]: readonly unknown[] = entry;
  if (typeof queuedAtMs !== 'number' || typeof text !== 'string') return null;
  const body = bytesOf(text);
  return { id, isError: true, queuedAtMs, bytes: body.length, body };
}

/**
 * A outbox that takes its time, with a journal before it in localStorage, which has a note at once. A new IndexedDB on a
 * busy disk takes a second and more to open, and one that is open drops what a page had under way when it closes: who met
 * an error then, with a tunnel that hangs, would have left nothing. Entries are moved into the outbox, by this page or the
 * next one, under their own ids, so that whoever does it twice changes nothing. Where there is no storage the outbox is as
 * good as without it.
 */
export class JournaledOutbox extends EnvelopeOutbox {
  readonly #outbox: EnvelopeOutbox;
  readonly #journal: PrefixedStorage;
  readonly #opened: Promise<void>;

  /** @param name of the outbox; what another one left in its journal is not touched. */
  constructor(outbox: EnvelopeOutbox, page: Window, name: string) {
    super();
    this.#outbox = outbox;
    this.#journal = new PrefixedStorage(page, `${name} `);
    this.#opened = this.#open();
    // Whoever asks for what is kept hears of it.
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

  /** Takes over what earlier pages could only note. */
  async #open(): Promise<void> {
    for (const id of this.#journal.ids()) {
      const envelope = envelopeOf(id, this.#journal.read(id));
      if (envelope !== null) await this.#outbox.add(envelope);
      this.#journal.remove(id);
    }
  }

  #note({ id, queuedAtMs, bytes, body }: OutboxEnvelope): boolean {
    if (bytes > MAX_BYTES || this.#journal.ids().length >= MAX_ENTRIES) return false;
    return this.#journal.write(id, [queuedAtMs, textOf(body)]);
  }
}
