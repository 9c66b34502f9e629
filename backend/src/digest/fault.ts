/**
 * digest/ computes the digest of an error: pure and deterministic. It must never read a clock, a file or the
 * environment, never throw because of the error it reads, and never depend on the host, the time or the user.
 *
 * A `Fault` is the common form of an error: readError makes it from a live error, the store from a Sentry event, and digestOf hashes it.
 */
export interface Fault {
  /** Class of the error; '' for an event with only a message. */
  readonly type: string;
  /** `error.code` if it was a string. */
  readonly code: string | null;
  /** The message as thrown, cut at {@link MAX_MESSAGE_LENGTH}. */
  readonly message: string;
  /** Own frames, innermost first, already normalised and reduced by ownFrames. */
  readonly frames: readonly FaultFrame[];
  readonly cause: Fault | null;
  /** The errors of a group (AggregateError, ExceptionGroup) that failed side by side. */
  readonly members: readonly Fault[];
  /** The error's own `digest`; it is shown and looked up unchanged. */
  readonly ownDigest: string | null;
}

/** A call in the application's own code, without line and column: these change with every edit above. */
export interface FaultFrame {
  /** Relative to the application's root, without `dist/`, `src/`, extension and content hash. */
  readonly file: string;
  readonly function: string | null;
}

/** Causes below the error itself that enter the digest. */
export const MAX_CAUSES = 3;

/** Members of a group that are read. */
export const MAX_MEMBERS = 50;

/** Characters of a message that are read; the skeleton uses 200 after ids are replaced. */
export const MAX_MESSAGE_LENGTH = 8_192;
