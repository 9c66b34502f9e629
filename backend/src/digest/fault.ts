/**
 * digest/ turns an error into the digest that names its fault: pure, deterministic, versioned. It must never
 * read a clock, a file or the environment, never throw on what was thrown, and never depend on where, when or
 * for whom the error happened.
 *
 * A `Fault` is the neutral shape in the middle: readError (a live error) and readException (the exception of a
 * Sentry event) end in it, digestOf starts from it.
 */
export interface Fault {
  /** Class of the error; '' when the event has only a message. */
  readonly type: string;
  /** `error.code` if it was a string. */
  readonly code: string | null;
  /** As thrown, cut at {@link MAX_MESSAGE_LENGTH}; the skeleton is made from it, never the other way round. */
  readonly message: string;
  /** Own frames, innermost first, already normalised and reduced by ownFrames. */
  readonly frames: readonly FaultFrame[];
  readonly cause: Fault | null;
  /** A digest the error came with; it is shown and looked up as it is. */
  readonly ownDigest: string | null;
}

/** One call in the application's own code. No line and no column: they change with every edit above. */
export interface FaultFrame {
  /** Relative to the application's root, without `dist/`, `src/`, extension and content hash. */
  readonly file: string;
  readonly function: string | null;
}

/** Causes below the error itself that count (pages.md: "depth at most 3"). */
export const MAX_CAUSES = 3;

/** Characters of a message that are kept; the skeleton needs 200 after ids are taken out. */
export const MAX_MESSAGE_LENGTH = 8_192;
