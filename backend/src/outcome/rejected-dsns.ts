import type { RejectedDsn } from '../contract/delivery-api.ts';
import { isoTime } from '../time/iso.ts';
import { RecentMap } from '../time/recent-map.ts';

/** Rows that are kept: enough to name every application that an operator has forgotten, and a page shows them all. */
export const MAX_REJECTED_DSNS = 20;

/** Characters of a DSN and of an origin. The longest real ones have about 150; strangers choose both texts. */
const MAX_TEXT = 200;

/**
 * Counts the rejected DSNs of this process by DSN, origin and reason, so that an operator sees the application whose DSN or
 * origin is missing in the settings. Of more than {@link MAX_REJECTED_DSNS} it forgets the one that was seen longest ago:
 * strangers can make up any number of them.
 */
export class RejectedDsns {
  readonly #now: () => number;
  /** The one seen last is at the end. */
  readonly #rows = new RecentMap<string, RejectedDsn>(MAX_REJECTED_DSNS);

  /** @param now wall clock, ms since the epoch. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  count({ dsn, origin, reason }: Pick<RejectedDsn, 'dsn' | 'origin' | 'reason'>): void {
    const named = { dsn: cut(dsn), origin: cut(origin), reason };
    const key = JSON.stringify(named);
    const count = (this.#rows.get(key)?.count ?? 0) + 1;
    this.#rows.set(key, { ...named, count, last: isoTime(this.#now()) });
  }

  /** Returns the rows, the one seen last first. */
  rows(): readonly RejectedDsn[] {
    return [...this.#rows.values()].toReversed();
  }
}

function cut(text: string | null): string | null {
  return text === null || text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`.toWellFormed();
}
