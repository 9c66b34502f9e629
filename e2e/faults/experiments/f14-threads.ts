import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { spoolFaults } from '../parts/ledger.ts';
import type { Loader } from '../parts/loader.ts';
import { preload } from '../parts/preload.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome } from '../parts/waiting.ts';

const SENDERS = 32;
const DEATHS = 2;
/** Maximum number of further answers 200 before each death. */
const MAX_ANSWERS = 100;
/** Above the two seconds that a commit may take, except in the gate. */
const BLOCK_MS = { gate: 200, short: 2_000, long: 2_000 } as const;

export const threads: Experiment = {
  id: 'F14',
  fault: 'event loop blocked 2 s; the worker thread dies',
  target: 'thread restarted; waiting requests get 200 or 503, and each 200 stays true after a kill -9',
  run: disturbThreads,
  gate: disturbThreads,
};

async function disturbThreads(trial: Trial): Promise<void> {
  await blockLoop(trial);
  await endThread(trial);
}

async function blockLoop(trial: Trial): Promise<void> {
  const rig = await Rig.start(trial, {
    nodeOptions: [preload('block-loop')],
    environment: { BENCH_BLOCK_MS: String(BLOCK_MS[trial.form]) },
  });
  const load = rig.load({ senders: SENDERS });
  await load.untilCount(200, SENDERS + 1);
  process.kill(rig.errata.pid, 'SIGUSR2');
  await mustCome('the end of the block', () => rig.errata.records.some(({ msg }) => msg === 'bench_blocked'));
  const before = load.count(200);
  await load.untilCount(200, before + SENDERS + 1);
  await load.stop();
  trial.findings.add(true, 'blocked: continues afterwards');
  await judgeAnswers(trial, rig, load, 'blocked');
}

async function endThread(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial, { nodeOptions: [preload('end-spool-thread')] });
  const load = rig.load({ senders: SENDERS });
  for (let death = 1; death <= DEATHS; death += 1) {
    const before = load.count(200);
    await load.untilCount(200, before + SENDERS + 1 + trial.random.below(MAX_ANSWERS));
    process.kill(rig.errata.pid, 'SIGUSR2');
    await mustCome('the death', async () => (await spoolFaults(rig.errata, 'thread_death')) >= death);
  }
  const before = load.count(200);
  await load.untilCount(200, before + SENDERS + 1);
  await load.stop();
  findings.equal('deaths counted', await spoolFaults(rig.errata, 'thread_death'), DEATHS);
  findings.atLeast('waiting requests answered 503', load.count(503), 1);
  await judgeAnswers(trial, rig, load, 'thread ended');
}

/** Kills and restarts the process, so that a 200 for data that was only in memory is detected. */
async function judgeAnswers({ findings }: Trial, rig: Rig, load: Loader, what: string): Promise<void> {
  const others = load.countOthers(200, 503);
  findings.equal(`${what}: answers other than 200 and 503`, others, 0);
  await rig.errata.kill();
  await rig.errata.start();
  await judge(rig, findings, { atLeast: SENDERS });
  await rig.errata.kill();
}
