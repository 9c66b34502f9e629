import type { RejectedDsn } from '../contract/delivery-api.ts';
import { isoTime } from '../time/iso.ts';
import { RecentMap } from '../time/recent-map.ts';

/** Rows that are kept: enough to name every application that an operator has forgotten, and a page shows them all. */
export const MAX_REJECTED_DSNS = 20;

/**
 * Rows of one network: a stranger's made-up DSNs replace each other, and not the application of an operator. The DSNs of
 * three applications behind one address are shown at once.
 */
const MAX_ROWS_OF_A_NETWORK = 3;

/** Characters of a DSN and of an origin. The longest real ones have about 150; strangers choose both texts. */
const MAX_TEXT = 200;

interface RejectedRow {
  readonly row: RejectedDsn;
  readonly network: string | null;
}

/**
 * Counts the rejected DSNs of this process by DSN, origin and reason, so that an operator sees the application whose DSN or
 * origin is missing in the settings. Of more than {@link MAX_REJECTED_DSNS}, and of more than {@link MAX_ROWS_OF_A_NETWORK},
 * it forgets the one that was seen longest ago: strangers can make up any number of them.
 */
export class RejectedDsns {
  readonly #now: () => number;
  /** The one seen last is at the end. */
  readonly #rows = new RecentMap<string, RejectedRow>(MAX_REJECTED_DSNS);

  /** @param now wall clock, ms since the epoch. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param network of the sender; null for a program on the same machine and a trusted proxy, which have no limit of their own. */
  count({ dsn, origin, reason }: Omit<RejectedDsn, 'count' | 'last'>, network: string | null): void {
    const named = { dsn: cut(dsn), origin: cut(origin), reason };
    const key = JSON.stringify(named);
    const known = this.#rows.get(key);
    if (known === undefined && network !== null) this.#makeRoom(network);
    const row = { ...named, count: (known?.row.count ?? 0) + 1, last: isoTime(this.#now()) };
    // A row stays with its first sender: the second one could replace it with others otherwise.
    this.#rows.set(key, { row, network: known === undefined ? network : known.network });
  }

  #makeRoom(network: string): void {
    const own = [...this.#rows].filter(([, row]) => row.network === network);
    const [oldest] = own.at(-MAX_ROWS_OF_A_NETWORK) ?? [];
    if (oldest !== undefined) this.#rows.delete(oldest);
  }

  /** Returns the rows, the one seen last first. */
  rows(): readonly RejectedDsn[] {
    return [...this.#rows.values()].map(({ row }) => row).toReversed();
  }
}

function cut(text: string | null): string | null {
  return text === null || text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`.toWellFormed();
}
