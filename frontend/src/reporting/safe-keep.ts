import { EnvelopeKeep } from './outbox/envelope-outbox.ts';
import type { KeptEnvelope, KeptHead } from './outbox/queued-envelope.ts';

/** A keep that can fail, with one behind it that cannot; itself it never does, so nothing reaches the page. */
export class SafeKeep extends EnvelopeKeep {
  readonly #first: EnvelopeKeep;
  readonly #spare: EnvelopeKeep;

  constructor(first: EnvelopeKeep, spare: EnvelopeKeep) {
    super();
    this.#first = first;
    this.#spare = spare;
  }

  async add(envelope: KeptEnvelope): Promise<void> {
    try {
      await this.#first.add(envelope);
    } catch {
      await this.#spare.add(envelope);
    }
  }

  async heads(): Promise<readonly KeptHead[]> {
    const spare = await this.#spare.heads();
    try {
      const first = await this.#first.heads();
      return [...first, ...spare];
    } catch {
      return spare;
    }
  }

  async read(head: KeptHead): Promise<Uint8Array<ArrayBuffer> | null> {
    const spare = await this.#spare.read(head);
    if (spare !== null) return spare;
    try {
      return await this.#first.read(head);
    } catch {
      return null;
    }
  }

  async remove(head: KeptHead): Promise<void> {
    await this.#spare.remove(head);
    try {
      await this.#first.remove(head);
    } catch {
      // It stays and is sent once more by a later page; the server knows it by its event id.
    }
  }
}
