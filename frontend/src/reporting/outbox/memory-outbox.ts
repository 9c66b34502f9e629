import { EnvelopeOutbox } from './envelope-outbox.ts';
import { OUTBOX_LIMITS, toEvict, type OutboxEnvelope, type OutboxHead } from './queued-envelope.ts';

/** Keeps envelopes in memory, for a browser without IndexedDB: they survive an outage, not the page. */
export class MemoryOutbox extends EnvelopeOutbox {
  readonly #envelopes = new Map<string, OutboxEnvelope>();
  readonly #now: () => number;
  readonly #limits: typeof OUTBOX_LIMITS;

  constructor(now: () => number = Date.now, limits = OUTBOX_LIMITS) {
    super();
    this.#now = now;
    this.#limits = limits;
  }

  async add(envelope: OutboxEnvelope): Promise<void> {
    this.#envelopes.set(envelope.id, envelope);
    this.#evict();
  }

  async heads(): Promise<readonly OutboxHead[]> {
    this.#evict();
    return [...this.#envelopes.values()].map(({ body: _body, ...head }) => head);
  }

  async read({ id }: OutboxHead): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#envelopes.get(id)?.body ?? null;
  }

  async remove({ id }: OutboxHead): Promise<void> {
    this.#envelopes.delete(id);
  }

  #evict(): void {
    const envelopes = [...this.#envelopes.values()];
    for (const { id } of toEvict(envelopes, this.#now(), this.#limits)) this.#envelopes.delete(id);
  }
}
