import { ownLabel } from '../../ui/format/own-label.ts';

/** Codes of the ledger, the relay and the network; each label can end a sentence. */
const LABELS: Readonly<Record<string, string>> = {
  // Why a sink cannot accept envelopes.
  timeout: 'timed out',
  network: 'network error',
  econnrefused: 'connection refused',
  econnreset: 'connection reset',
  enotfound: 'unknown host',
  eai_again: 'DNS lookup failed',
  etimedout: 'no response in time',
  ehostunreach: 'unreachable',
  enetunreach: 'unreachable',
  und_err_connect_timeout: 'no connection in time',
  und_err_headers_timeout: 'no response in time',
  und_err_body_timeout: 'response timed out',
  und_err_socket: 'connection reset',
  dsn_rejected: 'DSN rejected',
  rate_limited: 'rate-limited',
  // Why an envelope or an item was not delivered (outcome/outcome.ts).
  queue_overflow: 'queue full',
  cache_overflow: 'expired',
  send_error: 'rejected by the upstream',
  ratelimit_backoff: 'rate-limited by the upstream',
  backpressure: 'client over its quota',
  no_upstream: 'no destination',
  unreadable: 'corrupted on disk',
  unstorable: 'not stored',
  upstream_not_in_settings: 'DSN not in the settings',
  unsendable: 'cannot be sent unchanged',
  malformed: 'malformed envelope',
  too_large: 'too large',
  unexpected_answer: 'answered with a web page',
};

/** HTTP statuses of an upstream. */
const STATUSES: Readonly<Record<string, string>> = {
  400: 'rejected as malformed',
  401: 'unknown key at the upstream',
  403: 'forbidden by the upstream',
  404: 'unknown project at the upstream',
  413: 'too large for the upstream',
  429: 'rate-limited by the upstream',
};

/** Returns a label with a capital first letter. */
export function capitalized(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/**
 * Returns the label of a status, which says more than the reason of the ledger, or of a code. An unknown code is shown as
 * it is. The code of a sink contains its status, as in the metrics.
 */
export function reasonLabel(code: string, status: number | null = null): string {
  const answered = status?.toString() ?? /^status_(\d{3})$/.exec(code)?.[1];
  if (answered !== undefined) return ownLabel(STATUSES, answered) ?? `HTTP ${answered} from the upstream`;
  return ownLabel(LABELS, code) ?? code.replaceAll('_', ' ');
}
