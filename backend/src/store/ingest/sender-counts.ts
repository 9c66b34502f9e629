import { hash } from 'node:crypto';
import { symbolsOf } from '../../digest/crockford.ts';
import type { Digest } from '../../digest/digest.ts';
import { hourOf } from '../../time/iso.ts';
import { RecentMap } from '../../time/recent-map.ts';
import { FACTS_SHARE, FEEDBACK_BYTES, FEEDBACK_SHARE, ISSUE_BYTES } from '../db/occupied-bytes.ts';

/**
 * New issues of a sender network (/24 or /48) in an hour. A release that breaks every page of an application makes some
 * hundred; a stranger can make one with each event, and each costs 3,700 bytes, a line of the list and a webhook.
 */
export const MAX_NEW_ISSUES = 1_000;

/**
 * Share of the store that a sender network fills in an hour before its events are marked: retention deletes these before
 * all others. Feedback has the same share of its space (2,500 of it by default). A flood of one network then needs two days,
 * not minutes, to displace what others have sent; with replicas, as many times less as it reaches, and after a restart the
 * counts begin at 0. By default it is 107 MiB, some 50 errors a second for the whole hour; below the limit of the store the
 * mark changes nothing.
 *
 * It fills the same share of the space for facts (27 MiB by default, some 200,000 usual ones) before no more are written:
 * facts outlive their events, and a network that sends long ones would fill the store with them.
 */
const HOURLY_SHARE = 1 / 48;

/** Networks and hours in memory, 2 MB: above it the count of the one that was silent longest begins again at 0. */
const MAX_COUNTS = 10_000;

/** Kept addresses of this machine: all clients may share them, behind a proxy that is not trusted. */
const LOOPBACK = /^(?:127\.|0:0:0::$)/;

/** When an event arrived, and from which network; see StoreEnvelope. */
export interface Arrival {
  readonly network: string | null;
  readonly receivedMs: number;
}

interface Count {
  readonly issues: number;
  readonly bytes: number;
  readonly factBytes: number;
  readonly feedback: number;
}

const NOTHING: Count = { issues: 0, bytes: 0, factBytes: 0, feedback: 0 };

/**
 * Counts what each sender network stores in an hour, in memory only: no event is stored with its network. The title of
 * {@link furtherErrorsOf} names a network, as its /24 or /48 block, which is no address of a person. Each replica counts by
 * itself, from 0 after a restart. Events without an address, and those of this machine, have no limit.
 */
export class SenderCounts {
  readonly #counts = new RecentMap<string, Count>(MAX_COUNTS);
  readonly #maxBytes: () => number;

  /** @param maxBytes present limit of the store. */
  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes;
  }

  /** Starts the counts of a batch. They are applied after its commit, because a batch may be written more than once. */
  begin(): BatchCounts {
    return new BatchCounts(this.#counts, this.#maxBytes() * HOURLY_SHARE);
  }
}

/** The counts of a batch, see {@link SenderCounts}. */
export class BatchCounts {
  readonly #counts: Map<string, Count>;
  readonly #shareBytes: number;
  readonly #added = new Map<string, Count>();

  constructor(counts: Map<string, Count>, shareBytes: number) {
    this.#counts = counts;
    this.#shareBytes = shareBytes;
  }

  /** Counts a new issue; false, and not counted, where its network has created {@link MAX_NEW_ISSUES} in this hour. */
  addIssue(arrival: Arrival): boolean {
    if (this.#add(arrival, NOTHING).issues >= MAX_NEW_ISSUES) return false;
    this.#add(arrival, { issues: 1, bytes: ISSUE_BYTES });
    return true;
  }

  /** Counts the bytes of an event; false where they are above the share of its network. */
  addEvent(arrival: Arrival, bytes: number): boolean {
    return this.#add(arrival, { bytes }).bytes <= this.#shareBytes;
  }

  /** Counts the bytes of facts; false, and not counted, where they are above the share of their network. */
  addFacts(arrival: Arrival, factBytes: number): boolean {
    if (this.#add(arrival, { factBytes }).factBytes <= this.#shareBytes * FACTS_SHARE) return true;
    this.#add(arrival, { factBytes: -factBytes });
    return false;
  }

  /** Counts feedback; false where it is above the share of its network. */
  addFeedback(arrival: Arrival): boolean {
    const { feedback } = this.#add(arrival, { feedback: 1 });
    return feedback * FEEDBACK_BYTES <= this.#shareBytes * FEEDBACK_SHARE;
  }

  /** Applies the counts; to be called after the commit. */
  apply(): void {
    for (const [key, added] of this.#added) this.#counts.set(key, sum(added, this.#counts.get(key)));
  }

  /** Adds to the count of a network and hour, and returns it. The count of one without limits stays 0. */
  #add(arrival: Arrival, more: Partial<Count>): Count {
    const key = keyOf(arrival);
    if (key === null) return NOTHING;
    const added = sum(more, this.#added.get(key));
    this.#added.set(key, added);
    return sum(added, this.#counts.get(key));
  }
}

function sum(one: Partial<Count>, other = NOTHING): Count {
  const { issues, bytes, factBytes, feedback } = { ...NOTHING, ...one };
  return {
    issues: other.issues + issues,
    bytes: other.bytes + bytes,
    factBytes: other.factBytes + factBytes,
    feedback: other.feedback + feedback,
  };
}

function keyOf({ network, receivedMs }: Arrival): string | null {
  return network === null || LOOPBACK.test(network) ? null : `${hourOf(receivedMs)} ${network}`;
}

/** An issue that counts the errors of a network which would be new issues above its cap. */
export interface FurtherErrors {
  readonly digest: Digest;
  readonly title: string;
}

/** @param isConfirmed whether it counts confirmed errors or all others. */
export function furtherErrorsOf(network: string | null, isConfirmed: boolean): FurtherErrors {
  const block = `${network}${network?.includes(':') === true ? '/48' : '/24'}`;
  const kind = isConfirmed ? 'confirmed-sender' : 'sender';
  const key = hash('sha256', `errata-digest/${kind}\n${block}`, 'hex');
  return {
    digest: { key, shown: symbolsOf(key) },
    title: `Further errors from ${block}, after ${MAX_NEW_ISSUES.toLocaleString('en')} new issues in an hour`,
  };
}
