import type { Delivery } from './delivery.ts';
import { MAX_PAUSE_MS, type Backoff } from './outbox/backoff.ts';
import type { EnvelopeOutbox } from './outbox/envelope-outbox.ts';
import { byPriority, type OutboxHead } from './outbox/queued-envelope.ts';
import type { PageLifecycle } from './page-lifecycle.ts';

const NEWLINE = 0x0a;

/**
 * Writes the present time into `sent_at` of an envelope's header line; every other byte stays.
 *
 * The upstream takes the difference between `sent_at` and its own clock for the error of the browser's clock, and
 * moves the event by it. An hour in the outbox would look like an hour of error. The browser's wall clock *now* is what
 * the SDK would have written had it made the envelope now, so the difference is the true error again. Moving the old
 * value by the time held, as the server does in its spool, would come to the same: no clock but the wall clock goes
 * on from one page to the next. A header without `sent_at` gets none: nothing was to be corrected.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/envelopes/
 */
export function updateSentAt(envelope: Uint8Array<ArrayBuffer>, nowMs: number): Uint8Array<ArrayBuffer> {
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

/** Another tab has its turn: it takes what is kept, or pauses and lets go. Then this one looks again. */
const OTHER_TAB_MS = 5_000;

/**
 * Sends what is kept, one envelope after the other, in one tab at a time.
 *
 * States: *idle* (nothing kept, or nothing known of it) -> *sending* (has the turn) -> *idle* when the outbox is empty,
 * or *waiting* (a timer runs) when the tunnel failed. Page start, `online`, coming into view and a new entry lead
 * to *sending*, or to *waiting* where the tunnel asked for a time. Offline no timer runs, and a hidden page tries
 * once in the longest backoff: nobody waits for it, and another page may come first.
 */
export class Sender {
  readonly #outbox: EnvelopeOutbox;
  readonly #delivery: Delivery;
  readonly #backoff: Backoff;
  readonly #lifecycle: PageLifecycle;
  /** Failed tries of this page by id: what fails goes behind the rest, so that no envelope blocks the others. */
  readonly #failures = new Map<string, number>();
  /** Gone or unreadable: this page asks for them no more, a later one may. */
  readonly #skipped = new Set<string>();
  #isSending = false;
  #isWakePending = false;
  #cancelTimer: (() => void) | null = null;

  constructor(outbox: EnvelopeOutbox, delivery: Delivery, backoff: Backoff, lifecycle: PageLifecycle) {
    this.#outbox = outbox;
    this.#delivery = delivery;
    this.#backoff = backoff;
    this.#lifecycle = lifecycle;
  }

  /** Takes up what earlier pages left behind. */
  start(): void {
    this.#lifecycle.onReturn(() => {
      this.#backoff.forgetBackoff();
      this.wake();
    });
    this.wake();
  }

  /** There may be something to send. */
  wake(): void {
    const { remainingMs } = this.#backoff;
    if (this.#isSending) this.#isWakePending = true;
    else if (remainingMs > 0) this.#wait(remainingMs);
    else void this.#send();
  }

  #wait(delayMs: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#lifecycle.isOffline()) return;
    const calmMs = this.#lifecycle.isHidden() ? Math.max(delayMs, MAX_PAUSE_MS) : delayMs;
    this.#cancelTimer = this.#lifecycle.after(calmMs, () => this.wake());
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    this.#isWakePending = false;
    this.#cancelTimer?.();
    let hadTurn = false;
    try {
      hadTurn = await this.#lifecycle.withLock(() => this.#sendAll());
    } catch {
      // Nothing of it may reach the page, where it would be reported, and fail again. It looks again in a while.
    }
    this.#isSending = false;
    if (!hadTurn) this.#wait(OTHER_TAB_MS);
    else if (this.#backoff.remainingMs > 0 || this.#isWakePending) this.wake();
  }

  /** Until nothing is left or the tunnel fails. */
  async #sendAll(): Promise<void> {
    for (let head = await this.#next(); head !== null; head = await this.#next()) {
      const body = await this.#outbox.read(head);
      if (body === null) this.#skipped.add(head.id);
      else await this.#delivery.retry(head, updateSentAt(body, this.#lifecycle.wallMs()));
      if (this.#backoff.remainingMs > 0) {
        this.#failures.set(head.id, (this.#failures.get(head.id) ?? 0) + 1);
        return;
      }
    }
  }

  /** The one with the fewest failures; of these an error before anything else, and the oldest. */
  async #next(): Promise<OutboxHead | null> {
    const heads = await this.#outbox.heads();
    const open = heads.filter((head) => !this.#delivery.isInFlight(head) && !this.#skipped.has(head.id));
    const triesOf = ({ id }: OutboxHead) => this.#failures.get(id) ?? 0;
    const [first] = open.toSorted(
      (one, other) =>
        triesOf(one) - triesOf(other) ||
        Number(other.isError) - Number(one.isError) ||
        byPriority(one, other),
    );
    return first ?? null;
  }
}
