import type { MovedFile } from '../sqlite/rescue-file.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';

/** Events of the spool that its owner logs and counts. */
export interface SpoolEvents {
  /** The file was damaged, and a copy of what could be read of it, or a new file, took its place. */
  readonly onMovedAside: (moved: MovedFile) => void;
  /** @param envelopes null where the file that knows their number is itself damaged. */
  readonly onLost: (envelopes: number | null) => void;
  readonly onCorrupt: (ids: readonly number[]) => void;
  readonly onThreadDeath: (cause: Error) => void;
  /** One step of a commit could not be written because of a bug; the rest was. */
  readonly onFault: (fault: string) => void;
}

/** The sinks that have settled an envelope. */
export interface SettledBits {
  readonly id: number;
  readonly bits: number;
}

/** The consumer of the queue: the relay. */
export interface SpoolListener {
  /** Whether all sinks accept envelopes, so that the spool becomes empty by itself. */
  readonly canEmpty: boolean;
  /**
   * A commit has ended.
   *
   * @param fresh envelopes of it; the listener gets them from memory and need not read them from disk.
   * @param settled settlements of it: queries with these bits no longer return these envelopes.
   */
  committed(fresh: readonly QueuedEnvelope[], settled: readonly SettledBits[]): void;
  /** The disk may contain envelopes up to this id that were not reported by `committed`. */
  advanced(lastId: number): void;
}

/** The listener until a relay is attached. */
export const NO_LISTENER: SpoolListener = {
  canEmpty: false,
  committed: () => {},
  advanced: () => {},
};
