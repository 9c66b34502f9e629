const NEWLINE = 0x0a;

/**
 * Writes the present time into `sent_at` of an envelope's header line; every other byte stays.
 *
 * The upstream takes the difference between `sent_at` and its own clock for the error of the browser's clock, and
 * moves the event by it. An hour in the keep would look like an hour of error. The browser's wall clock *now* is what
 * the SDK would have written had it made the envelope now, so the difference is the true error again. Moving the old
 * value by the time held, as the server does in its spool, would come to the same: no clock but the wall clock goes
 * on from one page to the next. A header without `sent_at` gets none: nothing was to be corrected.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/envelopes/
 */
export function renewSentAt(envelope: Uint8Array<ArrayBuffer>, nowMs: number): Uint8Array<ArrayBuffer> {
  const newline = envelope.indexOf(NEWLINE);
  const end = newline < 0 ? envelope.length : newline;
  try {
    // The SDK wrote the line with JSON.stringify, so parsing and writing it again changes nothing else.
    const header: unknown = JSON.parse(new TextDecoder().decode(envelope.subarray(0, end)));
    if (typeof header !== 'object' || header === null || !('sent_at' in header)) return envelope;
    const line = JSON.stringify({ ...header, sent_at: new Date(nowMs).toISOString() });
    const head = new TextEncoder().encode(line);
    const renewed = new Uint8Array(head.length + envelope.length - end);
    renewed.set(head);
    renewed.set(envelope.subarray(end), head.length);
    return renewed;
  } catch {
    return envelope;
  }
}
