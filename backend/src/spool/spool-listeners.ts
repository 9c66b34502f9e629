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

/** The consumer of the queue: the relay. */
export interface SpoolListener {
  /** Whether all sinks accept envelopes, so that the spool becomes empty by itself. */
  readonly canEmpty: boolean;
  /** Envelopes were committed; the listener gets them from memory and need not read them from disk. */
  appended(envelopes: readonly QueuedEnvelope[]): void;
  /** Settlements were committed: queries with these bits no longer return these envelopes. */
  settled(done: readonly { readonly id: number; readonly bits: number }[]): void;
  /** The disk may contain envelopes up to this id that were not reported by `appended`. */
  advanced(lastId: number): void;
}

/** The listener until a relay is attached. */
export const NO_LISTENER: SpoolListener = {
  canEmpty: false,
  appended: () => {},
  settled: () => {},
  advanced: () => {},
};
