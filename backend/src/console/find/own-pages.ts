/** Nest token of the {@link OwnPages}. */
export const OWN_PAGES = Symbol('own pages');

/** The error pages that this server shows. */
export interface OwnPages {
  /** Canonical DSN of the project that their failures have. */
  readonly project: string;
  /** Whether they show the lines of operators. */
  readonly areHelpful: boolean;
}
