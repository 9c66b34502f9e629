import type { QueuedEnvelope } from '../sink/queued-envelope.ts';

/** What the spool tells of itself; the owner logs and counts it. */
export interface SpoolEvents {
  readonly onLost: (envelopes: number) => void;
  readonly onCorrupt: (ids: readonly number[]) => void;
  readonly onThreadDeath: (cause: Error) => void;
  /** Something could not be written, and nothing else was kept from it. */
  readonly onFault: (fault: string) => void;
}

/** Who brings on what the spool holds: the relay. */
export interface SpoolReader {
  /** Envelopes were committed; they need not be claimed from the disk again. */
  appended(envelopes: readonly QueuedEnvelope[]): void;
  /** Settlements were committed: these envelopes will not be claimed with these bits again. */
  settled(done: readonly { readonly id: number; readonly bits: number }[]): void;
  /** There may be envelopes up to this id that were never told as appended. */
  grown(lastId: number): void;
}

/** Until a relay is there. */
export const NO_READER: SpoolReader = { appended: () => {}, settled: () => {}, grown: () => {} };
