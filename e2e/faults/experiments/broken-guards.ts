import type { Experiment, Trial } from '../experiment.ts';
import { slow } from '../parts/answers.ts';
import { brokenCopy, type Patch } from '../parts/broken-copy.ts';
import { compare } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import { LoopDisk } from '../parts/loop-disk.ts';
import { Rig } from '../parts/rig.ts';
import { killOnce } from './f06-kill.ts';
import { lacksForPowerLoss, losePower, startOn } from './f18-power-loss.ts';

/**
 * Controls: each breaks a guard of the server and passes when the experiment for that guard detects a loss.
 */

const TRIES = 5;
/** Duration of a delivery, so that some are in flight at every kill. */
const UPSTREAM_TAKES_MS = 400;

const NORMAL: readonly Patch[] = [
  {
    file: 'spool/db/spool-schema.js',
    pattern: /PRAGMA synchronous\s*=\s*FULL/g,
    replacement: 'PRAGMA synchronous = NORMAL',
  },
];

/** The thread replies before it commits; only one transaction in eight is committed. */
const ACK_BEFORE_COMMIT: readonly Patch[] = [
  {
    file: 'spool/db/tables.js',
    pattern: /(this\.#\w+)\.exec\('BEGIN IMMEDIATE'\)/g,
    replacement: "if (!$1.isTransaction) $1.exec('BEGIN IMMEDIATE')",
  },
  {
    file: 'spool/db/tables.js',
    pattern: /(this\.#\w+)\.exec\('COMMIT'\)/g,
    replacement: "if ((globalThis.turn = ((globalThis.turn ?? 0) + 1) % 8) === 0) $1.exec('COMMIT')",
  },
];

/** The sink reports "delivered" first, so that the row is deleted, and sends afterwards. */
const DELETE_BEFORE_SEND: readonly Patch[] = [
  {
    file: 'relay/upstream.js',
    pattern: /(?<=\n    )deliver\((\w+)\) \{/g,
    replacement:
      "async deliver($1) { void this.sendLater($1); return $1.map(() => ({ outcome: 'delivered' })); }\n    async sendLater($1) {",
  },
];

function control(id: string, fault: string, run: (trial: Trial) => Promise<void>): Experiment {
  return { id, fault, target: `the loss is detected within ${TRIES} attempts`, run };
}

export const normalSync: Experiment = {
  ...control('C18', 'control: synchronous FULL -> NORMAL', async (trial) => {
    const root = brokenCopy(trial.scratch, 'normal', NORMAL);
    const disk = new LoopDisk(trial.scratch, 'disk');
    const rig = await startOn(trial, disk, { root });
    await triesUntilLoss(trial, rig, () => losePower(trial, rig, disk));
  }),
  lacks: lacksForPowerLoss,
};

export const ackBeforeCommit = control('C6A', 'control: answer before the commit', async (trial) => {
  const root = brokenCopy(trial.scratch, 'early-ack', ACK_BEFORE_COMMIT);
  const rig = await Rig.start(trial, { root });
  await rig.upstream.down();
  await triesUntilLoss(trial, rig, () => killOnce(rig, trial, ['error']));
});

export const deleteBeforeSend = control('C6B', 'control: deletion before the delivery', async (trial) => {
  const root = brokenCopy(trial.scratch, 'early-delete', DELETE_BEFORE_SEND);
  const rig = await Rig.start(trial, { root });
  rig.upstream.script = () => slow(UPSTREAM_TAKES_MS);
  await triesUntilLoss(trial, rig, () => killOnce(rig, trial, ['error']));
});

/** Repeats the experiment's step and comparison until a loss is found. */
async function triesUntilLoss({ findings }: Trial, rig: Rig, step: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    await step();
    const isDown = rig.upstream.isDown;
    if (isDown) await rig.upstream.up();
    await emptied(rig.errata, 20_000);
    const { lost, obligations } = compare(rig.oracle.read(), rig, await fate(rig.errata, 'held'));
    if (lost.length > 0) {
      findings.add(true, `attempt ${tries}: ${lost.length} lost of ${obligations.toLocaleString('en')}`);
      return;
    }
    if (isDown) await rig.upstream.down();
  }
  findings.add(false, `no loss detected in ${TRIES} attempts: the experiment is blind`);
}
