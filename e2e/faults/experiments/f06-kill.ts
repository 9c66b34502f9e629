import type { Experiment, Trial } from '../experiment.ts';
import type { Kind } from '../parts/envelopes.ts';
import { judgeFresh, settle } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import type { Loader, LoadOptions } from '../parts/loader.ts';
import { Rig } from '../parts/rig.ts';
import { StoreLookUp } from '../parts/store-look-up.ts';
import type { Seen } from '../parts/scripted-upstream.ts';
import type { Counts } from '../tally.ts';

const SENDERS = 16;
/** Maximum number of unsettled deliveries when the process is killed: the window to an upstream on this machine. */
const CONCURRENCY = 64;
const KILLS = { gate: 8, short: 60, long: 1_000 } as const;
/** Kills of one spool before its result is computed and stored, so that a long run can be ended early. */
const PORTION = 60;
/** Maximum number of answers 200 after a start; one of them is the moment of the kill. */
const MAX_ANSWERS = 400;

/** Every fourth kill hits an Errata without an upstream, whose store is the only destination. */
export const kill: Experiment = {
  id: 'F6',
  fault: 'kill -9 under load',
  target: `0 lost in ${KILLS.long} kills (${KILLS.short} in the short form), duplicates <= ${CONCURRENCY} per kill`,
  run: async (trial) => {
    const { tally, random } = trial;
    for (let left = trial.kills ?? KILLS[trial.form]; left > 0; left -= PORTION) {
      const portion = Math.min(left, PORTION);
      const alone = Math.floor(portion / 4);
      const part = { ...trial, findings: trial.findings.part() };
      tally.add('F6', random.seed, await killWithUpstream(part, portion - alone));
      if (alone > 0) tally.add('F6', random.seed, await killWithoutUpstream(part, alone));
    }
    const { kills: all = 0, obligations = 0, lost = 0, mostDuplicates = 0 } = tally.sum('F6');
    const counts = `${lost} lost of ${obligations.toLocaleString('en')} in ${all.toLocaleString('en')} kills`;
    trial.findings.add(
      lost === 0,
      `this build so far: ${counts}; duplicates after one kill, at most ${mostDuplicates}`,
    );
  },
  gate: async (trial) => {
    const alone = KILLS.gate / 4;
    await killWithUpstream(trial, KILLS.gate - alone);
    await killWithoutUpstream(trial, alone);
  },
};

/**
 * Sends load, kills the process at the moment that the load reaches, and starts it again. Returns the time of the second
 * start: what the upstream has seen before it was sent before the kill.
 */
export async function killAfter(
  rig: Rig,
  moment: (load: Loader) => Promise<void>,
  options: LoadOptions,
): Promise<number> {
  const load = rig.load(options);
  await moment(load);
  await rig.errata.kill();
  await load.stop();
  const startedAtMs = performance.now();
  await rig.errata.start();
  return startedAtMs;
}

/** Kills the process under load, after a random number of answers. */
function killUnderLoad(rig: Rig, { random }: Trial, kinds?: readonly Kind[]): Promise<number> {
  const answers = 1 + random.below(MAX_ANSWERS);
  return killAfter(rig, (load) => load.untilCount(200, answers), {
    senders: SENDERS,
    ...(kinds === undefined ? {} : { kinds }),
  });
}

async function killWithUpstream(trial: Trial, kills: number): Promise<Counts> {
  const { findings } = trial;
  const rig = await Rig.start(trial);
  const startedAtMs: number[] = [];
  for (let done = 0; done < kills; done += 1) startedAtMs.push(await killUnderLoad(rig, trial));
  const { obligations, lost, changed, duplicates } = await settle(rig);
  const wrong = lost.length + changed.length;
  const counts = `${lost.length} lost and ${changed.length} changed of ${obligations.toLocaleString('en')}`;
  findings.add(wrong === 0 && obligations >= kills, `${counts} in ${kills} kills`);
  const mostDuplicates = Math.max(0, ...duplicatesByKill(rig.upstream.seen, startedAtMs));
  findings.atMost('duplicates after one kill, at most', mostDuplicates, CONCURRENCY);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  await judgeFresh(rig, findings);
  await rig.errata.kill();
  return { kills, obligations, lost: wrong, duplicates, mostDuplicates };
}

/**
 * Assigns each duplicate to the kill that caused it, the first one after the copy before: the envelope was then delivered
 * and not settled. A process that is killed again soon may leave its repeated deliveries to the one after it.
 *
 * @param startedAtMs time of the start after each kill.
 */
function duplicatesByKill(seen: readonly Seen[], startedAtMs: readonly number[]): readonly number[] {
  // The last count is for duplicates without a kill.
  const counts = Array.from({ length: startedAtMs.length + 1 }, () => 0);
  const lastMs = new Map<string, number>();
  for (const { id, atMs, wasTaken } of seen) {
    if (id === null || !wasTaken) continue;
    const beforeMs = lastMs.get(id);
    lastMs.set(id, atMs);
    if (beforeMs === undefined) continue;
    const found = startedAtMs.findIndex((startMs) => startMs > beforeMs);
    const cause = found === -1 ? startedAtMs.length : found;
    counts[cause] = (counts[cause] ?? 0) + 1;
  }
  return counts;
}

async function killWithoutUpstream(trial: Trial, kills: number): Promise<Counts> {
  const rig = await Rig.start(trial, { upstream: null });
  for (let done = 0; done < kills; done += 1) await killUnderLoad(rig, trial, ['error']);
  await emptied(rig.errata);
  const owed = [...rig.oracle.read().keys()];
  const lookUp = await StoreLookUp.signIn(rig.errata);
  const lost = await lookUp.missing(owed);
  trial.findings.add(
    lost.length === 0 && owed.length >= kills,
    `without an upstream: ${lost.length} lost of ${owed.length.toLocaleString('en')} in ${kills} kills`,
  );
  await rig.errata.kill();
  return { kills, obligations: owed.length, lost: lost.length };
}
