import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../../backend/src/config/config.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { judgeFresh, settle } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { StoreLookUp } from '../parts/store-look-up.ts';
import type { Seen } from '../parts/scripted-upstream.ts';
import { mustCome } from '../parts/waiting.ts';

const SENDERS = 16;
/** Maximum number of unsettled deliveries when the process is killed. */
const CONCURRENCY = readConfig({}).upstreamConnections;
const SHORT_KILLS = 60;
const FULL_KILLS = 1_000;
/** Kills of one spool before its result is computed and stored, so that a long run can be ended early. */
const PORTION = 60;
/** Time from the first 200 after a start to the kill. */
const LOAD_MS = [20, 300] as const;

/** Every fourth kill hits an Errata without an upstream, whose store is the only destination. */
export const kill: Experiment = {
  id: 'F6',
  fault: 'kill -9 under load',
  target: `0 lost in ${FULL_KILLS} kills (${SHORT_KILLS} in the short form), duplicates <= ${CONCURRENCY} per kill`,
  run: async (trial) => {
    const kills = trial.kills ?? (trial.isFull ? FULL_KILLS : SHORT_KILLS);
    for (let left = kills; left > 0; left -= PORTION) {
      const portion = Math.min(left, PORTION);
      const alone = Math.floor(portion / 4);
      const part = { ...trial, findings: trial.findings.part() };
      await killWithUpstream(part, portion - alone);
      if (alone > 0) await killWithoutUpstream(part, alone);
    }
    const { kills: all = 0, obligations = 0, lost = 0, mostDuplicates = 0 } = trial.tally.sum('F6');
    const counts = `${lost} lost of ${obligations.toLocaleString('en')} in ${all.toLocaleString('en')} kills`;
    trial.findings.add(
      lost === 0,
      `this build so far: ${counts}; duplicates after one kill, at most ${mostDuplicates}`,
    );
  },
};

/** Sends load, kills the process at a random moment and starts it again. Returns the time of the kill. */
export async function killOnce(rig: Rig, trial: Trial, kinds?: readonly ['error']): Promise<number> {
  const load = rig.load({ senders: SENDERS, ...(kinds === undefined ? {} : { kinds }) });
  await mustCome('a first 200 after the start', () => load.count(200) > 0);
  await delay(trial.random.between(...LOAD_MS));
  await rig.errata.kill();
  const killedAtMs = performance.now();
  await load.stop();
  await rig.errata.start();
  return killedAtMs;
}

async function killWithUpstream(trial: Trial, kills: number): Promise<void> {
  const { findings, random, tally } = trial;
  const rig = await Rig.start(trial);
  const killedAtMs: number[] = [];
  for (let done = 0; done < kills; done += 1) {
    killedAtMs.push(await killOnce(rig, trial));
  }
  const { obligations, lost, changed, duplicates } = await settle(rig);
  const wrong = lost.length + changed.length;
  const counts = `${lost.length} lost and ${changed.length} changed of ${obligations.toLocaleString('en')}`;
  findings.add(wrong === 0 && obligations > kills, `${counts} in ${kills} kills`);
  const mostDuplicates = Math.max(0, ...duplicatesByKill(rig.upstream.seen, killedAtMs));
  findings.atMost('duplicates after one kill, at most', mostDuplicates, CONCURRENCY);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  await judgeFresh(rig, findings);
  await rig.errata.kill();
  tally.add('F6', random.seed, { kills, obligations, lost: wrong, duplicates, mostDuplicates });
}

/** Assigns each duplicate to the last kill before it: an unsettled envelope is delivered again at the next start. */
function duplicatesByKill(seen: readonly Seen[], killedAtMs: readonly number[]): readonly number[] {
  const counts = Array.from({ length: killedAtMs.length + 1 }, () => 0);
  const known = new Set<string>();
  for (const { id, atMs, wasTaken } of seen) {
    if (id === null || !wasTaken) continue;
    const before = killedAtMs.findLastIndex((killed) => killed < atMs) + 1;
    if (known.has(id)) counts[before] = (counts[before] ?? 0) + 1;
    known.add(id);
  }
  return counts;
}

async function killWithoutUpstream(trial: Trial, kills: number): Promise<void> {
  const rig = await Rig.start(trial, { upstream: null });
  for (let done = 0; done < kills; done += 1) await killOnce(rig, trial, ['error']);
  await emptied(rig.errata, 60_000);
  const owed = [...rig.oracle.read().keys()];
  const lookUp = await StoreLookUp.signIn(rig.errata);
  const lost = await lookUp.missing(owed);
  trial.findings.add(
    lost.length === 0 && owed.length > kills,
    `without an upstream: ${lost.length} lost of ${owed.length.toLocaleString('en')} in ${kills} kills`,
  );
  await rig.errata.kill();
  trial.tally.add('F6', trial.random.seed, { kills, obligations: owed.length, lost: lost.length });
}
