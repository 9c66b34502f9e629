import { EnvelopeKeep } from './envelope-outbox.ts';
import { KEEP_LIMITS, toEvict, type KeptEnvelope, type KeptHead } from './queued-envelope.ts';

/** For a browser without IndexedDB, or one that refuses it: outlives an outage, not the page. */
export class MemoryKeep extends EnvelopeKeep {
  readonly #envelopes = new Map<string, KeptEnvelope>();
  readonly #now: () => number;
  readonly #limits: typeof KEEP_LIMITS;

  constructor(now: () => number = Date.now, limits = KEEP_LIMITS) {
    super();
    this.#now = now;
    this.#limits = limits;
  }

  async add(envelope: KeptEnvelope): Promise<void> {
    this.#envelopes.set(envelope.id, envelope);
    this.#evict();
  }

  async heads(): Promise<readonly KeptHead[]> {
    this.#evict();
    return [...this.#envelopes.values()].map(({ body: _body, ...head }) => head);
  }

  async read({ id }: KeptHead): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#envelopes.get(id)?.body ?? null;
  }

  async remove({ id }: KeptHead): Promise<void> {
    this.#envelopes.delete(id);
  }

  #evict(): void {
    const envelopes = [...this.#envelopes.values()];
    for (const { id } of toEvict(envelopes, this.#now(), this.#limits)) this.#envelopes.delete(id);
  }
}
