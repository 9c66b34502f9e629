import { hash } from 'node:crypto';
import { symbolsOf } from './crockford.ts';
import { type Digest, field } from './digest.ts';

/** Kind of a violation of the Content-Security-Policy. */
export const CSP_VIOLATION = 'csp-violation';

/** Name of a violation, with which its title begins. */
export const VIOLATION = 'Content-Security-Policy';

/** The facts of a browser report that are the same on all pages, in all builds and browsers; '' where missing. */
export interface ReportIdentity {
  /** Type of the report, such as `csp-violation`. */
  readonly kind: string;
  /** Directive, error code or feature. */
  readonly subject: string;
  /** Origin or keyword of the blocked or unreachable resource. */
  readonly target: string;
  /** Route template of the document or the request. */
  readonly route: string;
  /** The script that caused it, without query, build hash and version. */
  readonly source: string;
}

/**
 * Computes the digest of a browser report. The facts are hashed unchanged: a message's skeleton would remove the origins
 * by which violations differ. Each fact has its own line, so that it cannot be confused with the next one.
 */
export function digestOfReport({ kind, subject, target, route, source }: ReportIdentity): Digest {
  const lines = [kind, subject, target, route, source].map(field);
  const key = hash('sha256', ['errata-report-digest/1', ...lines].join('\n'), 'hex');
  return { key, shown: symbolsOf(key) };
}
