/** Codes of the ledger, the relay and the network, in label that end a sentence. */
const LABELS: Readonly<Record<string, string>> = {
  // Why a sink does not take anything now.
  timeout: 'it took too long',
  network: 'the network failed',
  econnrefused: 'the connection was refused',
  econnreset: 'the connection was cut',
  enotfound: 'its name is not known',
  eai_again: 'its name could not be looked up',
  etimedout: 'no answer in time',
  ehostunreach: 'it cannot be reached',
  enetunreach: 'it cannot be reached',
  und_err_connect_timeout: 'no connection in time',
  und_err_headers_timeout: 'no answer in time',
  und_err_body_timeout: 'the answer did not end in time',
  und_err_socket: 'the connection was cut',
  dsn_refused: 'it refuses this DSN',
  rate_limited: 'rate limited',
  // Why an envelope or an item went no further (outcome/outcome.ts).
  queue_overflow: 'the spool was full',
  cache_overflow: 'older than its kind may get',
  send_error: 'refused by the upstream',
  ratelimit_backoff: 'limited by the upstream',
  backpressure: 'the sender was above its quota',
  no_upstream: 'nobody wants it',
  unreadable: 'its bytes rotted on the disk',
  unstorable: 'the store could not keep it',
  unsendable: 'it cannot be sent as it is',
  malformed: 'no envelope',
  too_large: 'too large',
  // What an upstream answered.
  status_400: 'the upstream found it malformed',
  status_401: 'the upstream does not know its key',
  status_403: 'the upstream forbids it',
  status_404: 'the upstream does not know its project',
  status_413: 'too large for the upstream',
  status_429: 'the upstream limits the rate',
};

/** A new code is better shown raw than not at all. A table's own label only: a code may be called `constructor`. */
export function reasonLabel(code: string): string {
  const label = Object.hasOwn(LABELS, code) ? LABELS[code] : undefined;
  if (label !== undefined) return label;
  const status = /^status_(\d{3})$/.exec(code)?.[1];
  if (status !== undefined) return `the upstream answered ${status}`;
  return code.replaceAll('_', ' ');
}
