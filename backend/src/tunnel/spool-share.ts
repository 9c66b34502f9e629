import { senderNetwork, senderNetworks, senderSite } from '../net/client-address.ts';
import { RecentMap } from '../time/recent-map.ts';

/** Fill of the spool up to which a network has no share: the others find room. */
const SHARED_ABOVE_FILL = 1 / 2;
/** Part of the spool that one network may add above it, 51 MiB by default: a flood ends at 60 %. */
const NETWORK_PART = 1 / 10;
/** All networks of an IPv6 /48 together: a provider gives a whole /48 to one customer, whose flood ends at 90 %. */
const SITE_PART = 4 * NETWORK_PART;
/** Networks in memory, about 10 MB. The one that added longest ago is forgotten first. */
const MAX_NETWORKS = 50_000;

/**
 * Limits the part of the spool that one network fills, so that no client can make the spool refuse the errors of all others
 * while an upstream is down. It counts while the spool is more than half full, and begins again when it was not. What is
 * delivered at once does not count: else a busy network had used up its share while the backlog of another project waits.
 */
export class SpoolShare {
  readonly #fill: () => number;
  readonly #isFlowing: (project: string) => boolean;
  readonly #added = new RecentMap<string, number>(MAX_NETWORKS);

  /**
   * @param fill returns the used part of the spool, 0 to 1.
   * @param isFlowing returns whether all sinks of a project accept envelopes.
   */
  constructor(fill: () => number, isFlowing: (project: string) => boolean) {
    this.#fill = fill;
    this.#isFlowing = isFlowing;
  }

  /** Returns whether the network of an address, or its /48, has added its share. */
  isUsedUp(address: string): boolean {
    if (!this.#isShared()) return false;
    const site = senderSite(address);
    return (
      this.#addedBy(senderNetwork(address)) > NETWORK_PART ||
      (site !== null && this.#addedBy(site) > SITE_PART)
    );
  }

  /** Counts an envelope that was committed. @param part of the spool that it uses. */
  add(address: string, project: string, part: number): void {
    if (!this.#isShared() || this.#isFlowing(project)) return;
    for (const network of senderNetworks(address)) this.#added.set(network, this.#addedBy(network) + part);
  }

  #addedBy(network: string): number {
    return this.#added.get(network) ?? 0;
  }

  #isShared(): boolean {
    if (this.#fill() > SHARED_ABOVE_FILL) return true;
    if (this.#added.size > 0) this.#added.clear();
    return false;
  }
}
