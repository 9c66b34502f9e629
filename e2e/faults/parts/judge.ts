import type { Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { emptied, fate } from './ledger.ts';
import type { Obligation, Rig } from './rig.ts';
import { StoreFinder } from './store-finder.ts';
import { mustCome } from './waiting.ts';

/** The comparison of all envelopes that were answered 200 with those that arrived. */
export interface Verdict {
  readonly obligations: number;
  readonly lost: readonly string[];
  readonly changed: readonly string[];
  /** Number of arrivals of an envelope after its first one. */
  readonly duplicates: number;
  readonly queued: number;
}

/** Compares the obligations with the arrivals. Queued envelopes count as not yet arrived. */
export function compare(obligations: ReadonlyMap<string, Obligation>, rig: Rig, queued: number): Verdict {
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
    lost: absent.slice(queued),
    changed: changed.map(({ id }) => id),
    duplicates,
    queued,
  };
}

/** Waits until the queue is empty, then compares. */
async function settle(rig: Rig): Promise<Verdict> {
  await emptied(rig.errata);
  return compareNow(rig);
}

async function compareNow(rig: Rig): Promise<Verdict> {
  return compare(rig.obligations, rig, await fate(rig.errata, 'queued'));
}

export interface Allowed {
  readonly duplicates?: number;
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
  const verdict = allowed.mayHold === true ? await compareNow(rig) : await settle(rig);
  const { obligations, lost, changed, duplicates, queued } = verdict;
  findings.add(
    lost.length === 0 && obligations >= (allowed.atLeast ?? 1),
    `${lost.length} lost of ${obligations.toLocaleString('en')}`,
  );
  findings.equal('changed', changed.length, 0);
  if (allowed.mayHold !== true) findings.equal('queued at the end', queued, 0);
  if (allowed.duplicates !== undefined) findings.atMost('duplicates', duplicates, allowed.duplicates);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  if (allowed.mayHold !== true) await judgeFresh(rig, findings);
  return verdict;
}

/** Checks that a new event is accepted and arrives. */
export async function judgeFresh(rig: Rig, findings: Findings): Promise<void> {
  const { made, answer } = await rig.send();
  findings.add(answer.status === 200, `a new event is answered ${answer.status}`);
  if (answer.status !== 200) return;
  await mustCome('the new event', () => rig.hasArrived(made));
  findings.add(true, 'it arrives');
}

/** Checks, without an upstream, that the store has each error. It is the only copy of what the spool has deleted. */
export async function judgeStore(rig: Rig, findings: Findings, { atLeast = 1 }: Allowed = {}): Promise<void> {
  await emptied(rig.errata);
  const owed = [...rig.obligations.keys()];
  const lost = await (await StoreFinder.signIn(rig.errata)).missing(owed);
  findings.add(
    lost.length === 0 && owed.length >= atLeast,
    `not in the store: ${lost.length} of ${owed.length.toLocaleString('en')}`,
  );
}

/** Compares once for a control: the kill was made at a moment at which the broken guard has lost an envelope for certain. */
export async function mustLose({ findings }: Trial, rig: Rig): Promise<void> {
  const { lost, obligations } = await settle(rig);
  findings.atLeast(
    `lost of ${obligations.toLocaleString('en')}, or the experiment is blind:`,
    lost.length,
    1,
  );
}
