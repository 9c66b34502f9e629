/** Response header with the digest of the failure; the browser links its own event to it. */
export const DIGEST_HEADER = 'X-Errata-Digest';

/**
 * RFC 9457 problem details, with Errata's two extension members.
 *
 * `digest` identifies the issue (the same for every event), `reference` the event. Only failures of the server
 * (status >= 500) have them.
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
