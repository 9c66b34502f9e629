import type { OutboxEnvelope, OutboxHead } from './queued-envelope.ts';

/**
 * Stores envelopes until the tunnel has accepted them: in IndexedDB, or in memory where the browser has none. Enforces
 * its limits; several tabs may use one outbox at the same time.
 */
export abstract class EnvelopeOutbox {
  /** Resolves when the envelope survives the end of the page, where the outbox can do that. */
  abstract add(envelope: OutboxEnvelope): Promise<void>;

  /** Lists all envelopes that are not expired. */
  abstract heads(): Promise<readonly OutboxHead[]>;

  /** Returns the bytes, or null when another tab has removed them. */
  abstract read(head: OutboxHead): Promise<Uint8Array<ArrayBuffer> | null>;

  /** Removes an envelope; a missing one is no error. */
  abstract remove(head: OutboxHead): Promise<void>;
}
