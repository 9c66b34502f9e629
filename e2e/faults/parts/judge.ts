import type { Findings } from '../findings.ts';
import { emptied, fate } from './ledger.ts';
import type { Obligation } from './oracle.ts';
import type { Rig } from './rig.ts';
import { waitFor } from './waiting.ts';

/** What became of everything that was answered 200. */
export interface Verdict {
  readonly obligations: number;
  readonly lost: readonly string[];
  readonly changed: readonly string[];
  /** Arrivals beyond the first of an envelope. */
  readonly duplicates: number;
  readonly held: number;
}

/** How long deliveries may take once nothing is in their way any more. */
const QUIET_TIMEOUT_MS = 60_000;
const FRESH_TIMEOUT_MS = 10_000;

/** Compares what is owed with what arrived; what is held may be what has not arrived. */
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

/** Waits until everything owed has arrived, or nothing is held any more, or it took too long; then compares. */
export async function settle(rig: Rig, timeoutMs = QUIET_TIMEOUT_MS): Promise<Verdict> {
  const obligations = rig.oracle.read();
  await emptied(rig.errata, timeoutMs);
  return compare(obligations, rig, await fate(rig.errata, 'held'));
}

export interface Allowed {
  readonly duplicates?: number;
  readonly timeoutMs?: number;
  /** Envelopes may still be held at the end: what is asked is only that none is lost. */
  readonly mayHold?: boolean;
  /** What has to have been acknowledged at least, or nothing was tried. */
  readonly atLeast?: number;
}

/**
 * The judge's usual sentence: nothing owed is lost or changed, the ledger balances, and a fresh event passes.
 *
 * @returns the comparison, for experiments that say more about it.
 */
export async function judge(rig: Rig, findings: Findings, allowed: Allowed = {}): Promise<Verdict> {
  const verdict = await settle(rig, allowed.timeoutMs);
  const { obligations, lost, changed, duplicates, held } = verdict;
  findings.add(
    lost.length === 0 && obligations >= (allowed.atLeast ?? 1),
    `${lost.length} lost of ${obligations.toLocaleString('en')}`,
  );
  findings.equal('changed', changed.length, 0);
  if (allowed.mayHold !== true) findings.equal('held at the end', held, 0);
  if (allowed.duplicates !== undefined) findings.atMost('duplicates', duplicates, allowed.duplicates);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  if (allowed.mayHold !== true) await judgeFresh(rig, findings);
  return verdict;
}

/** A new event is taken and arrives. */
export async function judgeFresh(rig: Rig, findings: Findings): Promise<void> {
  const { made, answer } = await rig.send();
  const isThere = (): boolean => rig.upstream.seen.some(({ id, wasTaken }) => id === made.id && wasTaken);
  const passes = answer.status === 200 && (await waitFor(isThere, FRESH_TIMEOUT_MS));
  findings.add(passes, passes ? 'a fresh event passes' : `a fresh event does not pass (${answer.status})`);
}
