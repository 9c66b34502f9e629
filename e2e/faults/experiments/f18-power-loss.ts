import type { Experiment, Trial } from '../experiment.ts';
import { settle, judgeFresh } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import { LoopDisk, lacksLoopDisk } from '../parts/loop-disk.ts';
import { lacksProgram, lacksRoot } from '../parts/machine.ts';
import { Rig, type RigOptions } from '../parts/rig.ts';
import { StoreLookUp } from '../parts/store-look-up.ts';

const SENDERS = 16;
const LOSSES = { gate: 1, short: 2, long: 50 } as const;
/** Maximum number of answers 200; one of them is the moment of the loss. */
const MAX_ANSWERS = 700;

export function lacksForPowerLoss(): string | null {
  return lacksRoot() ?? lacksProgram('losetup', 'mkfs.ext4', 'truncate') ?? lacksLoopDisk();
}

export const powerLoss: Experiment = {
  id: 'F18',
  fault: 'power loss (copy of a loop-mounted image at the kill)',
  target: '0 lost',
  lacks: lacksForPowerLoss,
  run: losePowerOften,
  gate: losePowerOften,
};

async function losePowerOften(trial: Trial): Promise<void> {
  const { findings, form } = trial;
  const losses = LOSSES[trial.form];
  const disk = new LoopDisk(trial.scratch, 'disk');
  const rig = await startOn(trial, disk);
  for (let done = 0; done < losses; done += 1) await losePower(trial, rig, disk);
  await rig.upstream.up();
  const { obligations, lost, changed } = await settle(rig);
  findings.add(
    lost.length + changed.length === 0 && obligations >= losses,
    `${lost.length} lost and ${changed.length} changed of ${obligations.toLocaleString('en')} in ${losses} losses of power`,
  );
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  await judgeFresh(rig, findings);
  await rig.errata.kill();
  await withoutUpstream(trial, form === 'long' ? losses : 1);
}

/** Starts Errata on the disk without a reachable upstream: all acknowledged data is only on this disk. */
export async function startOn(trial: Trial, disk: LoopDisk, options: RigOptions = {}): Promise<Rig> {
  // Registered after the disk, so that the process ends before the disk is unmounted.
  const rig = await Rig.start(trial, { dataDir: disk.path, ...options });
  if (options.upstream !== null) await rig.upstream.down();
  return rig;
}

/** Sends load, cuts the power after a random number of answers, and starts Errata with the content of the disk. */
export async function losePower(
  trial: Trial,
  rig: Rig,
  disk: LoopDisk,
  maxAnswers = MAX_ANSWERS,
): Promise<void> {
  const load = rig.load({ senders: SENDERS, kinds: ['error'] });
  await load.untilCount(200, 1 + trial.random.below(maxAnswers));
  await rig.errata.kill();
  disk.losePower();
  await load.stop();
  await rig.errata.start();
}

/** Checks the events without an upstream: the store has the only copy. */
async function withoutUpstream(trial: Trial, losses: number): Promise<void> {
  const disk = new LoopDisk(trial.scratch, 'store-disk');
  const rig = await startOn(trial, disk, { upstream: null });
  for (let done = 0; done < losses; done += 1) await losePower(trial, rig, disk);
  await emptied(rig.errata);
  const lookUp = await StoreLookUp.signIn(rig.errata);
  const owed = [...rig.oracle.read().keys()];
  const lost = await lookUp.missing(owed);
  trial.findings.add(
    lost.length === 0 && owed.length > 0,
    `without an upstream: ${lost.length} lost of ${owed.length.toLocaleString('en')}`,
  );
}
