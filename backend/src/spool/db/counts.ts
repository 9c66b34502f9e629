import type { TypedDatabase } from '../../sqlite/typed-database.ts';
import type { ClassCounts, SpoolCounts, SpoolLimits, WaitingEnvelopes } from '../protocol/spool-messages.ts';
import { LIFETIMES, STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { timeIn } from './spool-schema.ts';
import type { Tables } from './tables.ts';

/**
 * Rows of one class, which is 0 for rows of a zeroed page; `project`: waiting for its upstream, null for none; `forStore`: 1 if
 * waiting for the store.
 */
interface CountGroup extends ClassCounts {
  readonly project: number | null;
  readonly forStore: number;
  /** Index in LIFETIMES, and start of the age of the oldest; null where it is unreadable. */
  readonly lifetime: number | null;
  readonly oldestQueuedAtMs: number | null;
}

/** Counts queued envelopes from the rows themselves: a balance computed from counters alone could never fail. */
export function countSpool(
  database: TypedDatabase,
  { projects, ledger, discards, deadLetters, quota }: Tables,
  maxAgeMs: SpoolLimits['maxAgeMs'],
): SpoolCounts {
  const groups = database
    .prepare<CountGroup>(
      `SELECT ifnull(class, 0) AS class, iif(pending & ${UPSTREAM_BIT}, project, NULL) AS project,
         iif(pending & ${STORE_BIT}, 1, 0) AS forStore, lifetime, min(${timeIn('queued_at_ms')}) AS oldestQueuedAtMs,
         count(*) AS envelopes, total(disk_bytes) AS bytes, min(${timeIn('received_at_ms')}) AS oldestReceivedAtMs
       FROM envelope GROUP BY 1, 2, 3, lifetime`,
    )
    .all();
  const forUpstreams = Map.groupBy(
    groups.filter(({ project }) => project !== null),
    ({ project }) => projects.dsn(project ?? 0),
  );
  return {
    queued: sum(groups),
    classes: [...Map.groupBy(groups, (group) => group.class).values()].map(joined),
    forUpstreams: [...forUpstreams].map(([project, waiting]) => ({
      project,
      envelopes: sum(waiting),
      ...firstExpiry(waiting, maxAgeMs),
    })),
    forStore: sum(groups.filter(({ forStore }) => forStore === 1)),
    ledger: ledger.lines(),
    discards: discards.sums(),
    deadLetters: deadLetters.count,
    fill: quota.fill,
    bytes: quota.from(0),
    maxBytes: quota.maxBytes,
  };
}

/** The spool's thread counts for 1 / (1 + this) of its time at most, however large the queue is: appends wait meanwhile. */
const REST_RATIO = 50;
/**
 * A smaller queue is counted each time, in some 9 ms: its figures are never old. By size, and not by time, because a machine
 * with too much to do takes long for any count.
 */
const LARGE_QUEUE = 10_000;

/** Counts the spool for readers that come often: pages, scrapes, the history. */
export class RecentCounts {
  readonly #count: () => SpoolCounts;
  readonly #now: () => number;
  #last: { readonly counts: SpoolCounts; readonly untilMs: number } | undefined;

  /** @param now monotonic clock, ms. */
  constructor(count: () => SpoolCounts, now: () => number = () => performance.now()) {
    this.#count = count;
    this.#now = now;
  }

  /** Returns the last answer of a {@link LARGE_QUEUE} again for {@link REST_RATIO} times as long as its count took. */
  counts(): SpoolCounts {
    const startedAtMs = this.#now();
    if (this.#last !== undefined && startedAtMs < this.#last.untilMs) return this.#last.counts;
    const counts = this.#count();
    const endMs = this.#now();
    const untilMs = endMs + (endMs - startedAtMs) * REST_RATIO;
    this.#last = counts.queued < LARGE_QUEUE ? undefined : { counts, untilMs };
    return counts;
  }

  /** Has the next answer counted: an operator has changed the queue, and looks at the result. */
  forget(): void {
    this.#last = undefined;
  }
}

function sum(groups: readonly CountGroup[]): number {
  return groups.reduce((total, { envelopes }) => total + envelopes, 0);
}

function firstExpiry(
  groups: readonly CountGroup[],
  maxAgeMs: SpoolLimits['maxAgeMs'],
): Pick<WaitingEnvelopes, 'expiresMs'> {
  const times = groups.flatMap(({ lifetime, oldestQueuedAtMs }) => {
    const name = LIFETIMES[lifetime ?? -1];
    return name === undefined || oldestQueuedAtMs === null ? [] : [oldestQueuedAtMs + maxAgeMs[name]];
  });
  return times.length === 0 ? {} : { expiresMs: Math.min(...times) };
}

/** Merges the groups of one class. */
function joined(groups: readonly CountGroup[]): ClassCounts {
  const times = groups
    .map(({ oldestReceivedAtMs }) => oldestReceivedAtMs)
    .filter((timeMs) => timeMs !== null);
  return {
    class: groups[0]?.class ?? 0,
    envelopes: sum(groups),
    bytes: groups.reduce((total, { bytes }) => total + bytes, 0),
    oldestReceivedAtMs: times.length === 0 ? null : Math.min(...times),
  };
}
