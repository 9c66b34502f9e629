/** Response headers with the digest and the reference of the failure; the browser's own event names both. */
export const DIGEST_HEADER = 'X-Errata-Digest';
export const REFERENCE_HEADER = 'X-Errata-Reference';

/**
 * RFC 9457 problem details, with Errata's extension members.
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
  /** Id of the request in the logs: `request.id`, else a valid `X-Request-ID`. */
  readonly request_id?: string;
  /** Whether the same request may succeed later: of 429 and 5xx. */
  readonly retryable?: boolean;
  /** The `Retry-After` of the response, seconds. */
  readonly retry_after?: number;
  /** This and the next two: Nest's own answer to a rejected request, for clients that read it. */
  readonly statusCode?: number;
  readonly message?: string | readonly string[];
  readonly error?: string;
}
