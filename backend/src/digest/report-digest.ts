import { hash } from 'node:crypto';
import { symbolsOf } from './crockford.ts';
import { type Digest, field } from './digest.ts';

/** What stays the same of a browser's own report between two pages, builds and browsers; '' where it says nothing. */
export interface ReportIdentity {
  /** Type of the report, such as `csp-violation`. */
  readonly kind: string;
  /** Directive, error code or feature. */
  readonly subject: string;
  /** Origin or keyword of what was refused or not reached. */
  readonly target: string;
  /** Route template of the document or the request. */
  readonly route: string;
  /** The script that did it, without query, build hash and version. */
  readonly source: string;
}

/**
 * The digest of a browser's own report. Its facts are hashed as they are: a message's skeleton would take out the
 * origins by which one violation differs from another. One line for each, so that none can pass for its neighbour.
 */
export function digestOfReport({ kind, subject, target, route, source }: ReportIdentity): Digest {
  const lines = [kind, subject, target, route, source].map(field);
  const key = hash('sha256', ['errata-report-digest/1', ...lines].join('\n'), 'hex');
  return { key, shown: symbolsOf(key) };
}
