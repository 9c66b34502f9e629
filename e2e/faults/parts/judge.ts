import type { Findings } from '../findings.ts';
import { emptied, fate } from './ledger.ts';
import type { Obligation } from './oracle.ts';
import type { Rig } from './rig.ts';
import { waitFor } from './waiting.ts';

/** The comparison of all envelopes that were answered 200 with those that arrived. */
export interface Verdict {
  readonly obligations: number;
  readonly lost: readonly string[];
  readonly changed: readonly string[];
  /** Number of arrivals of an envelope after its first one. */
  readonly duplicates: number;
  readonly held: number;
}

/** Maximum duration of the deliveries after the fault has ended. */
const QUIET_TIMEOUT_MS = 60_000;
const FRESH_TIMEOUT_MS = 10_000;

/** Compares the obligations with the arrivals. Queued envelopes count as not yet arrived. */
export function compare(obligations: ReadonlyMap<string, Obligation>, rig: Rig, held: number): Verdict {
  const arrived = new Map(
    rig.upstream.seen.filter(({ wasTaken }) => wasTaken).map((seen) => [seen.id, seen]),
  );
  const absent = [...obligations.keys()].filter((id) => !arrived.has(id));
  const changed = [...obligations.values()].filter(({ id, itemsHash }) => {
    const seen = arrived.get(id);
    return seen !== undefined && seen.itemsHash !== itemsHash;
  });
  let duplicates = 0;
  for (const times of rig.upstream.takenTimes().values()) duplicates += times - 1;
  return {
    obligations: obligations.size,
    lost: absent.slice(held),
    changed: changed.map(({ id }) => id),
    duplicates,
    held,
  };
}

/** Waits until the queue is empty or the time is over, then compares. */
export async function settle(rig: Rig, timeoutMs = QUIET_TIMEOUT_MS): Promise<Verdict> {
  const obligations = rig.oracle.read();
  await emptied(rig.errata, timeoutMs);
  return compare(obligations, rig, await fate(rig.errata, 'held'));
}

export interface Allowed {
  readonly duplicates?: number;
  readonly timeoutMs?: number;
  /** Whether envelopes may still be queued at the end; then only losses count. */
  readonly mayHold?: boolean;
  /** Minimum number of acknowledged envelopes; with fewer the experiment tested nothing. */
  readonly atLeast?: number;
}

/**
 * Checks that no obligation is lost or changed, that the ledger balances, and that a new event passes.
 *
 * @returns the comparison, for further checks.
 */
export async function judge(rig: Rig, findings: Findings, allowed: Allowed = {}): Promise<Verdict> {
  const verdict = await settle(rig, allowed.timeoutMs);
  const { obligations, lost, changed, duplicates, held } = verdict;
  findings.add(
    lost.length === 0 && obligations >= (allowed.atLeast ?? 1),
    `${lost.length} lost of ${obligations.toLocaleString('en')}`,
  );
  findings.equal('changed', changed.length, 0);
  if (allowed.mayHold !== true) findings.equal('queued at the end', held, 0);
  if (allowed.duplicates !== undefined) findings.atMost('duplicates', duplicates, allowed.duplicates);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  if (allowed.mayHold !== true) await judgeFresh(rig, findings);
  return verdict;
}

/** Checks that a new event is accepted and arrives. */
export async function judgeFresh(rig: Rig, findings: Findings): Promise<void> {
  const { made, answer } = await rig.send();
  const isThere = (): boolean => rig.upstream.seen.some(({ id, wasTaken }) => id === made.id && wasTaken);
  const passes = answer.status === 200 && (await waitFor(isThere, FRESH_TIMEOUT_MS));
  findings.add(passes, passes ? 'a new event passes' : `a new event does not pass (${answer.status})`);
}
