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

export const experiments: readonly Experiment[] = [
  { id: 'F14', fault: 'event loop blocked 2 s; the worker thread dies', run: disturbThreads },
];

/** Kills and restarts the process in the end, so that a 200 for data that was only in memory is detected. */
async function disturbThreads(trial: Trial): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial, {
    nodeOptions: [preload('block-loop'), preload('end-spool-thread')],
    environment: { BENCH_BLOCK_MS: String(BLOCK_MS[trial.scale]) },
  });
  const load = rig.load({ senders: SENDERS });
  await anotherFor(load);
  await blockLoop(rig);
  await anotherFor(load);
  findings.add(true, 'blocked: continues afterwards');
  const refused = load.count(503);
  await endThread(trial, rig, load);
  await load.stop();
  findings.equal('deaths counted', await spoolFaults(rig.errata, 'thread_death'), DEATHS);
  findings.atLeast('requests answered 503 at the deaths', load.count(503) - refused, 1);
  findings.equal('answers other than 200 and 503', load.countOthers(200, 503), 0);
  await rig.errata.kill();
  await rig.errata.start();
  await judge(rig, findings, { atLeast: (2 + 2 * DEATHS) * SENDERS });
}

/** Waits for another 200 of a sender that waits now, and `more` answers. */
function anotherFor(load: Loader, more = 0): Promise<void> {
  return load.untilCount(200, load.count(200) + SENDERS + 1 + more);
}

async function blockLoop({ errata }: Rig): Promise<void> {
  process.kill(errata.pid, 'SIGHUP');
  await mustCome('the end of the block', () => errata.records.some(({ msg }) => msg === 'bench_blocked'));
}

async function endThread({ random }: Trial, { errata }: Rig, load: Loader): Promise<void> {
  for (let death = 1; death <= DEATHS; death += 1) {
    await anotherFor(load, random.below(MAX_ANSWERS));
    process.kill(errata.pid, 'SIGUSR2');
    await mustCome('the death', async () => (await spoolFaults(errata, 'thread_death')) >= death);
  }
  await anotherFor(load);
}
