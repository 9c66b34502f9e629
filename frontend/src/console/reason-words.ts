const WORDS: Readonly<Record<string, string>> = {
  rate_limited: 'rate limited',
  too_large: 'too large',
  dsn_refused: 'the DSN was refused',
  network_error: 'the network failed',
  queue_full: 'the spool is full',
};

/** A reason's code in words: `status_413` is "status 413". A code nobody has words for still says something. */
export function reasonWords(code: string): string {
  return WORDS[code] ?? code.replaceAll('_', ' ');
}
