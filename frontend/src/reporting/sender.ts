import type { Delivery } from './delivery.ts';
import { MAX_PAUSE_MS, type RetryDelay } from './outbox/retry-delay.ts';
import type { EnvelopeOutbox } from './outbox/envelope-outbox.ts';
import { byPriority, type OutboxHead } from './outbox/queued-envelope.ts';
import type { PageLifecycle } from './page-lifecycle.ts';

const NEWLINE = 0x0a;

/**
 * Sets `sent_at` in the header line of an envelope to the present; every other byte stays.
 *
 * The upstream takes the difference between `sent_at` and its own clock as the error of the browser's clock, and moves
 * the event by it. An hour in the outbox would look like an hour of error. The present wall clock of the browser is the
 * value that the SDK would write now, so the difference is the true error again. Adding the queued time to the old
 * value, as the server does in its spool, would give the same result: only the wall clock continues across pages. A
 * header without `sent_at` gets none, because there is no value to correct.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/envelopes/
 */
export function updateSentAt(envelope: Uint8Array<ArrayBuffer>, nowMs: number): Uint8Array<ArrayBuffer> {
  const newline = envelope.indexOf(NEWLINE);
  const end = newline < 0 ? envelope.length : newline;
  try {
    // The SDK wrote the line with JSON.stringify, so writing it again changes nothing else.
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

/** Delay while another tab holds the lock: that tab sends the envelopes, or stops and releases the lock. */
const OTHER_TAB_MS = 5_000;

/**
 * Sends queued envelopes one by one, in one tab at a time.
 *
 * States: *idle* (nothing is queued) -> *sending* (holds the lock) -> *idle* when the outbox is empty, or *waiting* (a
 * timer runs) when the tunnel failed. Page start, `online`, becoming visible and a new entry lead to *sending*, or to
 * *waiting* during a Retry-After. Offline no timer runs, and a hidden page tries once in the longest delay, because no
 * user waits for it and another page may send first.
 */
export class Sender {
  readonly #outbox: EnvelopeOutbox;
  readonly #delivery: Delivery;
  readonly #retryDelay: RetryDelay;
  readonly #lifecycle: PageLifecycle;
  /** Failed attempts of this page by ID: a failed envelope goes to the end, so that it does not block the others. */
  readonly #failures = new Map<string, number>();
  /** Removed or unreadable entries: this page skips them, a later one may try again. */
  readonly #skipped = new Set<string>();
  #isSending = false;
  #isWakePending = false;
  #cancelTimer: (() => void) | null = null;

  constructor(outbox: EnvelopeOutbox, delivery: Delivery, retryDelay: RetryDelay, lifecycle: PageLifecycle) {
    this.#outbox = outbox;
    this.#delivery = delivery;
    this.#retryDelay = retryDelay;
    this.#lifecycle = lifecycle;
  }

  /** Sends the envelopes of earlier pages. */
  start(): void {
    this.#lifecycle.onReturn(() => {
      this.#retryDelay.forgetDelay();
      this.wake();
    });
    this.wake();
  }

  /** Called when there may be something to send. */
  wake(): void {
    const { remainingMs } = this.#retryDelay;
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
      // An error here must not reach the page, which would report it and fail again. The sender retries later.
    }
    this.#isSending = false;
    if (!hadTurn) this.#wait(OTHER_TAB_MS);
    else if (this.#retryDelay.remainingMs > 0 || this.#isWakePending) this.wake();
  }

  /** Sends until the outbox is empty or the tunnel fails. */
  async #sendAll(): Promise<void> {
    for (let head = await this.#next(); head !== null; head = await this.#next()) {
      const body = await this.#outbox.read(head);
      if (body === null) this.#skipped.add(head.id);
      else await this.#delivery.retry(head, updateSentAt(body, this.#lifecycle.wallMs()));
      if (this.#retryDelay.remainingMs > 0) {
        this.#failures.set(head.id, (this.#failures.get(head.id) ?? 0) + 1);
        return;
      }
    }
  }

  /** Returns the next envelope: fewest failures first, then errors, then the oldest. */
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
