import type { ReadEvent } from './new-rows.ts';

/** Violations in memory, 2 MB with all their networks. A client whose policy is new has some ten. */
const MAX_VIOLATIONS = 500;

/** Networks of a violation that are counted: so many are no forgery of one sender. */
export const MAX_NETWORKS = 30;

/** Violations that one network alone has reported: those of all pages of a client, but not the place of all others. */
const MAX_OF_A_NETWORK = 50;

/**
 * Counts the networks (/24 or /48) that have reported each violation of a policy, in memory only: no event is stored with its
 * network. Each replica counts by itself, from 0 after a restart. Anyone can send a report that names any origin: one that
 * many networks reported is no forgery, and a network's forgeries replace each other.
 */
export class ViolationSenders {
  /** Networks by the key of the digest. The violation reported last is at the end. */
  readonly #networks = new Map<string, Set<string>>();

  count({ digest: { key }, network }: Pick<ReadEvent, 'digest' | 'network'>): void {
    if (network === null) return;
    const networks = this.#networks.get(key) ?? new Set();
    if (networks.size === 0) this.#makeRoom(network);
    if (networks.size < MAX_NETWORKS) networks.add(network);
    this.#networks.delete(key);
    this.#networks.set(key, networks);
  }

  #makeRoom(network: string): void {
    const all = [...this.#networks];
    const own = all.filter(([, networks]) => networks.size === 1 && networks.has(network));
    const [least] = own.at(-MAX_OF_A_NETWORK) ?? (all.length < MAX_VIOLATIONS ? [] : ofFewest(all));
    if (least !== undefined) this.#networks.delete(least);
  }

  /**
   * Returns the number of networks by the key of the digest, largest first, and of equal ones the newest. Violations that one
   * network alone has reported are taken from all such networks in turn, so that none of them hides those of the others.
   */
  mostFirst(): ReadonlyMap<string, number> {
    const turns = new Map<string, number>();
    const rows = [...this.#networks].toReversed().map(([key, networks]) => {
      const [network = ''] = networks.size === 1 ? networks : [];
      const turn = turns.get(network) ?? 0;
      if (network !== '') turns.set(network, turn + 1);
      return { key, count: networks.size, turn };
    });
    const ordered = rows.toSorted((one, other) => other.count - one.count || one.turn - other.turn);
    return new Map(ordered.map(({ key, count }) => [key, count]));
  }
}

/** Returns the violation of fewest networks, and of equal ones that reported longest ago. */
function ofFewest(all: readonly (readonly [string, ReadonlySet<string>])[]) {
  return all.reduce((fewest, each) => (each[1].size < fewest[1].size ? each : fewest));
}
