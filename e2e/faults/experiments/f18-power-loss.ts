import type { Experiment, Trial } from '../experiment.ts';
import { brokenCopy, type Patch } from '../parts/broken-copy.ts';
import { judge, judgeStore, mustLose } from '../parts/judge.ts';
import { lacksLoopDisk, LoopDisk } from '../parts/loop-disk.ts';
import { lacksProgram, lacksRoot } from '../parts/machine.ts';
import { Rig, type RigOptions } from '../parts/rig.ts';

const SENDERS = 16;
/** Losses with an upstream that is down, and without one. */
const LOSSES = { gate: [1, 0], short: [2, 1], long: [50, 50] } as const;
/** Maximum number of answers 200; one of them is the moment of the loss. */
const MAX_ANSWERS = { gate: 200, short: 700, long: 700 } as const;

/** Far fewer envelopes than SQLite's automatic checkpoint needs (1,000 pages), which flushes the log with NORMAL, too. */
const BEFORE_CHECKPOINT = 50;
const NORMAL: readonly Patch[] = [
  {
    file: 'spool/db/spool-schema.js',
    pattern: /PRAGMA synchronous\s*=\s*FULL/g,
    replacement: 'PRAGMA synchronous = NORMAL',
  },
];

function lacks(): string | null {
  return lacksRoot() ?? lacksProgram('losetup', 'mkfs.ext4', 'truncate') ?? lacksLoopDisk();
}

export const experiments: readonly Experiment[] = [
  { id: 'F18', fault: 'power loss (copy of a loop-mounted image at the kill)', lacks, run: losePowerOften },
  { id: 'C18', fault: 'control: synchronous FULL -> NORMAL', lacks, run: normalSync },
];

/** Without an upstream the store has the only copy of what the spool has deleted. */
async function losePowerOften(trial: Trial): Promise<void> {
  const { findings } = trial;
  const [losses, alone] = LOSSES[trial.scale];
  const disk = new LoopDisk(trial.scratch, 'disk');
  const rig = await startOn(trial, disk);
  for (let done = 0; done < losses; done += 1) await losePower(trial, rig, disk);
  await rig.upstream.up();
  // The spool does not offer to the store again what the store has settled.
  await judgeStore(rig, findings, { atLeast: losses });
  await judge(rig, findings, { atLeast: losses });
  await rig.errata.kill();
  if (alone === 0) return;
  const storeDisk = new LoopDisk(trial.scratch, 'store-disk');
  const lonely = await startOn(trial, storeDisk, { upstream: null });
  for (let done = 0; done < alone; done += 1) await losePower(trial, lonely, storeDisk);
  await judgeStore(lonely, findings, { atLeast: alone });
}

async function normalSync(trial: Trial): Promise<void> {
  const root = brokenCopy(trial.scratch, 'normal', NORMAL);
  const disk = new LoopDisk(trial.scratch, 'disk');
  const rig = await startOn(trial, disk, { root });
  await losePower(trial, rig, disk, BEFORE_CHECKPOINT);
  await rig.upstream.up();
  await mustLose(trial, rig);
}

/** Starts Errata on the disk without a reachable upstream: all acknowledged data is only on this disk. */
async function startOn(trial: Trial, disk: LoopDisk, options: RigOptions = {}): Promise<Rig> {
  // Registered after the disk, so that the process ends before the disk is unmounted.
  const rig = await Rig.start(trial, { dataDir: disk.path, ...options });
  if (options.upstream !== null) await rig.upstream.down();
  return rig;
}

/** Sends load, cuts the power after a random number of answers, and starts Errata with the content of the disk. */
async function losePower(trial: Trial, rig: Rig, disk: LoopDisk, maxAnswers?: number): Promise<void> {
  const load = rig.load({ senders: SENDERS, kinds: ['error'] });
  await load.untilCount(200, 1 + trial.random.below(maxAnswers ?? MAX_ANSWERS[trial.scale]));
  await rig.errata.kill();
  disk.losePower();
  await load.stop();
  await rig.errata.start();
}
