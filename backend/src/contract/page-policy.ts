/** Sources by directive of a Content-Security-Policy. */
export type PolicyDirectives = Readonly<Record<string, readonly string[]>>;

/** Effect of the policy of another team's client (`ERRATA_CSP`). */
export type PolicyMode = (typeof POLICY_MODES)[number];
export const POLICY_MODES = ['computed', 'report-only', 'off'] as const;

/** `Strict-Transport-Security`; null for none. */
export interface HttpsOnly {
  /** Seconds. */
  readonly maxAge: number;
  readonly includeSubDomains: boolean;
}
