import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { spoolFaults } from '../parts/ledger.ts';
import type { Loader } from '../parts/loader.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, waitFor } from '../parts/waiting.ts';

const SENDERS = 32;
const DEATHS = 2;

export const threads: Experiment = {
  id: 'F14',
  fault: 'event loop blocked 2 s; the worker thread dies',
  target: 'thread restarted; waiting requests get 200 or 503, and each 200 stays true after a kill -9',
  run: async (trial) => {
    await blockLoop(trial);
    await endThread(trial);
  },
};

async function blockLoop(trial: Trial): Promise<void> {
  const rig = await Rig.start(trial, { nodeOptions: [preload('block-loop')] });
  const load = rig.load({ senders: SENDERS });
  await mustCome('a first 200', () => load.count(200) > SENDERS);
  process.kill(rig.errata.pid, 'SIGUSR2');
  await mustCome('the end of the block', () => rig.errata.records.some(({ msg }) => msg === 'bench_blocked'));
  const before = load.count(200);
  const goesOn = await waitFor(() => load.count(200) > before + SENDERS, 5_000);
  await load.stop();
  trial.findings.add(goesOn, goesOn ? 'blocked: continues afterwards' : 'blocked: does not continue');
  await judgeAnswers(trial, rig, load, 'blocked');
}

async function endThread(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial, { nodeOptions: [preload('end-spool-thread')] });
  const load = rig.load({ senders: SENDERS });
  for (let death = 1; death <= DEATHS; death += 1) {
    const before = load.count(200);
    await mustCome('200s again', () => load.count(200) > before + SENDERS);
    await delay(trial.random.between(0, 100));
    process.kill(rig.errata.pid, 'SIGUSR2');
    await mustCome('the death', async () => (await spoolFaults(rig.errata, 'thread_death')) >= death);
  }
  const before = load.count(200);
  await mustCome('200s after the last death', () => load.count(200) > before + SENDERS);
  await load.stop();
  findings.equal('deaths counted', await spoolFaults(rig.errata, 'thread_death'), DEATHS);
  findings.atLeast('waiting requests answered 503', load.count(503), 1);
  await judgeAnswers(trial, rig, load, 'thread ended');
}

/** Kills and restarts the process, so that a 200 for data that was only in memory is detected. */
async function judgeAnswers({ findings }: Trial, rig: Rig, load: Loader, what: string): Promise<void> {
  const others = load.answers.length - load.count(200) - load.count(503);
  findings.equal(`${what}: answers other than 200 and 503`, others, 0);
  await rig.errata.kill();
  await rig.errata.start();
  await judge(rig, findings, { atLeast: SENDERS });
  await rig.errata.kill();
}

function preload(name: string): string {
  return `--import=${join(import.meta.dirname, '..', 'preload', `${name}.ts`)}`;
}
