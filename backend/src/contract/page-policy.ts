/** Sources by directive of a Content-Security-Policy. */
export type PolicyDirectives = Readonly<Record<string, readonly string[]>>;

/** Effect of the policy of another team's client (`ERRATA_CSP`). */
export type PolicyMode = 'computed' | 'report-only' | 'off';

/** `Strict-Transport-Security`; null for none. */
export interface HttpsOnly {
  /** Seconds. */
  readonly maxAge: number;
  readonly includeSubDomains: boolean;
}
