import type { Delivery } from './delivery.ts';
import type { EnvelopeKeep } from './outbox/envelope-outbox.ts';
import { byWorth, type KeptHead } from './outbox/queued-envelope.ts';
import type { PageLife } from './page-lifecycle.ts';
import { MAX_PAUSE_MS, type Pause } from './outbox/backoff.ts';
import { renewSentAt } from './sent-at.ts';

/** Another tab has its turn: it takes what is kept, or pauses and lets go. Then this one looks again. */
const OTHER_TAB_MS = 5_000;

/**
 * Sends what is kept, one envelope after the other, in one tab at a time.
 *
 * States: *idle* (nothing kept, or nothing known of it) -> *sending* (has the turn) -> *idle* when the keep is empty,
 * or *waiting* (a timer runs) when the tunnel failed. Page start, `online`, coming into view and a new entry lead
 * to *sending*, or to *waiting* where the tunnel asked for a time. Offline no timer runs, and a hidden page tries
 * once in the longest pause: nobody waits for it, and another page may come first.
 */
export class Drain {
  readonly #keep: EnvelopeKeep;
  readonly #delivery: Delivery;
  readonly #pause: Pause;
  readonly #life: PageLife;
  /** Failed tries of this page by id: what fails goes behind the rest, so that no envelope blocks the others. */
  readonly #tries = new Map<string, number>();
  /** Gone or unreadable: this page asks for them no more, a later one may. */
  readonly #passed = new Set<string>();
  #isSending = false;
  #isWoken = false;
  #callOff: (() => void) | null = null;

  constructor(keep: EnvelopeKeep, delivery: Delivery, pause: Pause, life: PageLife) {
    this.#keep = keep;
    this.#delivery = delivery;
    this.#pause = pause;
    this.#life = life;
  }

  /** Takes up what earlier pages left behind. */
  start(): void {
    this.#life.onReturn(() => {
      this.#pause.forgetGuess();
      this.wake();
    });
    this.wake();
  }

  /** There may be something to send. */
  wake(): void {
    const { remainingMs } = this.#pause;
    if (this.#isSending) this.#isWoken = true;
    else if (remainingMs > 0) this.#wait(remainingMs);
    else void this.#send();
  }

  #wait(delayMs: number): void {
    this.#callOff?.();
    this.#callOff = null;
    if (this.#life.isOffline()) return;
    const calmMs = this.#life.isHidden() ? Math.max(delayMs, MAX_PAUSE_MS) : delayMs;
    this.#callOff = this.#life.after(calmMs, () => this.wake());
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    this.#isWoken = false;
    this.#callOff?.();
    let hadTurn = false;
    try {
      hadTurn = await this.#life.inTurn(() => this.#sendAll());
    } catch {
      // Nothing of it may reach the page, where it would be reported, and fail again. It looks again in a while.
    }
    this.#isSending = false;
    if (!hadTurn) this.#wait(OTHER_TAB_MS);
    else if (this.#pause.remainingMs > 0 || this.#isWoken) this.wake();
  }

  /** Until nothing is left or the tunnel fails. */
  async #sendAll(): Promise<void> {
    for (let head = await this.#next(); head !== null; head = await this.#next()) {
      const body = await this.#keep.read(head);
      if (body === null) this.#passed.add(head.id);
      else await this.#delivery.again(head, renewSentAt(body, this.#life.wallMs()));
      if (this.#pause.remainingMs > 0) {
        this.#tries.set(head.id, (this.#tries.get(head.id) ?? 0) + 1);
        return;
      }
    }
  }

  /** The one with the fewest failures; of these an error before anything else, and the oldest. */
  async #next(): Promise<KeptHead | null> {
    const heads = await this.#keep.heads();
    const open = heads.filter((head) => !this.#delivery.isInHand(head) && !this.#passed.has(head.id));
    const triesOf = ({ id }: KeptHead) => this.#tries.get(id) ?? 0;
    const [first] = open.toSorted(
      (one, other) =>
        triesOf(one) - triesOf(other) || Number(other.isError) - Number(one.isError) || byWorth(one, other),
    );
    return first ?? null;
  }
}
