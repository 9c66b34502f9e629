import { DAY_MS } from '../time/iso.ts';
import type { DispatchQueue } from './dispatch-queue.ts';
import type { FailedEnvelopes } from './failed-envelopes.ts';

/** Shortest time between two checks of held envelopes: a limit that has just ended must not cause a busy loop. */
export const MIN_HOLD_MS = 100;
/** Longest timer: Node fires timers above 24.8 days immediately. */
const MAX_DELAY_MS = DAY_MS;

/**
 * Remembers which envelopes a rate limit holds and when the first of the limits ends. Held envelopes wait on the disk,
 * so their lowest ID is enough to find them again; those that failed before keep their tries. When a limit ends, one of
 * them is sent as a probe; the others follow once the limit is known to be over.
 */
export class RateLimitHold {
  readonly #queue: Pick<DispatchQueue, 'rewind'>;
  readonly #failed: FailedEnvelopes;
  readonly #after: (delayMs: number, onDue: () => void) => void;
  #fromId: number | undefined;
  /** Held envelopes that failed before. */
  readonly #failedIds = new Set<number>();
  /** The envelope whose limit ends first, and the end of that limit. */
  #first: { readonly id: number; readonly untilMs: number } | undefined;
  #probeId: number | undefined;

  /** @param after starts the only timer of the hold; a second call replaces the first one. */
  constructor(
    queue: Pick<DispatchQueue, 'rewind'>,
    failed: FailedEnvelopes,
    after: (delayMs: number, onDue: () => void) => void,
  ) {
    this.#queue = queue;
    this.#failed = failed;
    this.#after = after;
  }

  /** Whether an envelope waits for the end of a limit. */
  get isHolding(): boolean {
    return this.#fromId !== undefined || this.#failedIds.size > 0;
  }

  /** Adds an envelope. @param untilMs end of its limit; same clock as `nowMs`. */
  add(id: number, untilMs: number, nowMs: number): void {
    if (this.#failed.hasFailed(id)) {
      this.#failed.take(id);
      this.#failedIds.add(id);
    } else {
      this.#failed.forget(id);
      this.#fromId = Math.min(this.#fromId ?? id, id);
    }
    if (this.#probeId === id) this.#probeId = undefined;
    if (this.#first !== undefined && this.#first.untilMs <= untilMs) return;
    this.#first = { id, untilMs };
    this.#after(Math.min(Math.max(untilMs - nowMs, MIN_HOLD_MS), MAX_DELAY_MS), () => this.#probe());
  }

  /**
   * Ends the hold if this envelope is the probe and was not held again: all held envelopes are read again, and those that
   * are still limited are added again.
   */
  end(id: number): void {
    if (this.#probeId !== id) return;
    if (this.#fromId !== undefined) this.#queue.rewind(this.#fromId);
    for (const failedId of this.#failedIds) this.#failed.putBack(failedId);
    this.#failedIds.clear();
    this.#probeId = undefined;
    this.#fromId = undefined;
    this.#first = undefined;
  }

  /** Makes the envelope whose limit has ended due. */
  #probe(): void {
    this.#probeId = this.#first?.id;
    this.#first = undefined;
    if (this.#probeId !== undefined) this.#failed.wait(this.#probeId, 0);
  }
}
