import type { OutboxEnvelope, OutboxHead } from './queued-envelope.ts';

/**
 * Where envelopes stay until the tunnel has them: IndexedDB, or memory where the browser refuses that. Holds its
 * limits by itself; several tabs may use one at the same time.
 */
export abstract class EnvelopeOutbox {
  /** Resolves once the envelope would outlive the page (where this outbox can do that at all). */
  abstract add(envelope: OutboxEnvelope): Promise<void>;

  /** All that is kept and not too old. */
  abstract heads(): Promise<readonly OutboxHead[]>;

  /** The bytes, or null when another tab was quicker. */
  abstract read(head: OutboxHead): Promise<Uint8Array<ArrayBuffer> | null>;

  /** Removing what is gone is no fault. */
  abstract remove(head: OutboxHead): Promise<void>;
}
