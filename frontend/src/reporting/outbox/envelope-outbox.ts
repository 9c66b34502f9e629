import type { KeptEnvelope, KeptHead } from './queued-envelope.ts';

/**
 * Where envelopes stay until the tunnel has them: IndexedDB, or memory where the browser refuses that. Holds its
 * limits by itself; several tabs may use one at the same time.
 */
export abstract class EnvelopeKeep {
  /** Resolves once the envelope would outlive the page (where this keep can do that at all). */
  abstract add(envelope: KeptEnvelope): Promise<void>;

  /** All that is kept and not too old. */
  abstract heads(): Promise<readonly KeptHead[]>;

  /** The bytes, or null when another tab was quicker. */
  abstract read(head: KeptHead): Promise<Uint8Array<ArrayBuffer> | null>;

  /** Removing what is gone is no fault. */
  abstract remove(head: KeptHead): Promise<void>;
}
