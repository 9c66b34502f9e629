/** Answer header that carries the digest of the failure, so that the browser's half of it can name the same one. */
export const DIGEST_HEADER = 'X-Errata-Digest';

/**
 * RFC 9457 problem details, with Errata's two extension members.
 *
 * `digest` says which fault (the same for every occurrence), `reference` which occurrence. Both are there only
 * when the failure is the server's (status >= 500).
 */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly digest?: string;
  readonly reference?: string;
}
