import type { DeliveryMinute, DeliveryMinutes } from '../contract/delivery-api.ts';
import { isoTime } from '../time/iso.ts';
import { RecentMap } from '../time/recent-map.ts';
import { type Balance, balanceOf } from './balance.ts';

const MINUTE_MS = 60_000;
/** Minutes of the picture: most outages begin and end in them. They take some 10 KB of memory. */
const MINUTES = 180;

type Totals = Pick<Balance, 'accepted' | 'delivered'>;

const NONE: Totals = { accepted: 0, delivered: 0 };

/**
 * Keeps queue and deliveries of this process by minute, for the picture of the Delivery page. It is in memory: a picture is
 * not worth a write a minute. It reads the ledger, as the metrics do not count envelopes that came past the tunnel.
 */
export class DeliveryHistory {
  readonly #now: () => number;
  readonly #wallNow: () => number;
  /** By minute since the clock's start: those that are shown, and the one that has not ended. */
  readonly #minutes = new RecentMap<number, DeliveryMinute>(MINUTES + 1);
  #last: Totals | undefined;

  /** @param now monotonic clock, ms. @param wallNow ms since the epoch. */
  constructor(now: () => number = () => performance.now(), wallNow: () => number = Date.now) {
    this.#now = now;
    this.#wallNow = wallNow;
  }

  /** Adds ledger and queued envelopes of this time. */
  add(...counts: Parameters<typeof balanceOf>): void {
    const { queued, accepted, delivered } = balanceOf(...counts);
    const current = this.#current;
    const last = this.#last ?? { accepted, delivered };
    // A damaged file was moved aside: the new one counts from 0.
    const since = accepted < last.accepted || delivered < last.delivered ? NONE : last;
    const before = this.#minutes.get(current) ?? NONE;
    this.#minutes.set(current, {
      queued,
      accepted: before.accepted + accepted - since.accepted,
      delivered: before.delivered + delivered - since.delivered,
    });
    this.#last = { accepted, delivered };
  }

  /** Returns the last {@link MINUTES} minutes that have ended; with the first one before it has ended. */
  lastHours(): DeliveryMinutes {
    const current = this.#current;
    const last = this.#minutes.has(current - 1) ? current - 1 : current;
    const first = last - MINUTES + 1;
    return {
      end: isoTime(this.#wallNow() - this.#now() + (last + 1) * MINUTE_MS),
      minutes: Array.from({ length: MINUTES }, (_, index) => this.#minutes.get(first + index) ?? null),
    };
  }

  get #current(): number {
    return Math.floor(this.#now() / MINUTE_MS);
  }
}
