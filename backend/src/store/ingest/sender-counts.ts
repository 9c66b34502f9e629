import { hash } from 'node:crypto';
import { symbolsOf } from '../../digest/crockford.ts';
import type { Digest } from '../../digest/digest.ts';
import { hourOf } from '../../time/iso.ts';
import { RecentMap } from '../../time/recent-map.ts';

/**
 * New issues of a sender network (/24 or /48) in an hour. A release that breaks every page of an application makes some
 * hundred; a stranger can make one with each event, and each costs 3,400 bytes, a line of the list and a webhook.
 */
export const MAX_NEW_ISSUES = 1_000;

/** Networks and hours in memory, 2 MB: above it the count of the one that was silent longest begins again at 0. */
const MAX_COUNTS = 10_000;

/** Kept addresses of this machine: all clients may share them, behind a proxy that is not trusted. */
const LOOPBACK = /^(?:127\.|0:0:0::$)/;

/** When an event arrived, and from which network; see StoreEnvelope. */
export interface Arrival {
  readonly network: string | null;
  readonly receivedMs: number;
}

/**
 * Counts what each sender network stores in an hour, in memory only: a network in a row would be personal data. Each replica
 * counts by itself, from 0 after a restart. Events without an address, and those of this machine, have no limit.
 */
export class SenderCounts {
  readonly #issues = new RecentMap<string, number>(MAX_COUNTS);

  /** Starts the counts of a batch. They are applied after its commit, because a batch may be written more than once. */
  begin(): BatchCounts {
    return new BatchCounts(this.#issues);
  }
}

/** The counts of a batch, see {@link SenderCounts}. */
export class BatchCounts {
  readonly #issues: Map<string, number>;
  readonly #added = new Map<string, number>();

  constructor(issues: Map<string, number>) {
    this.#issues = issues;
  }

  /** Counts a new issue; false where its network has created {@link MAX_NEW_ISSUES} in this hour. */
  addIssue(arrival: Arrival): boolean {
    const key = keyOf(arrival);
    if (key === null) return true;
    const added = this.#added.get(key) ?? 0;
    if ((this.#issues.get(key) ?? 0) + added >= MAX_NEW_ISSUES) return false;
    this.#added.set(key, added + 1);
    return true;
  }

  /** Applies the counts; to be called after the commit. */
  apply(): void {
    for (const [key, added] of this.#added) this.#issues.set(key, (this.#issues.get(key) ?? 0) + added);
  }
}

function keyOf({ network, receivedMs }: Arrival): string | null {
  return network === null || LOOPBACK.test(network) ? null : `${hourOf(receivedMs)} ${network}`;
}

/** An issue that counts the errors of a network which would be new issues above its cap. */
export interface FurtherErrors {
  readonly digest: Digest;
  readonly title: string;
}

export function furtherErrorsOf(network: string | null): FurtherErrors {
  const block = `${network}${network?.includes(':') === true ? '/48' : '/24'}`;
  const key = hash('sha256', `errata-digest/sender\n${block}`, 'hex');
  return {
    digest: { key, shown: symbolsOf(key) },
    title: `Further errors from ${block}, after ${MAX_NEW_ISSUES.toLocaleString('en')} new issues in an hour`,
  };
}
