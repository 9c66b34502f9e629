import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { fate, spoolFaults } from '../parts/ledger.ts';
import type { Loader } from '../parts/loader.ts';
import { lacksRoot } from '../parts/machine.ts';
import { Rig } from '../parts/rig.ts';

const DISK_MIB = 24;
/** Errors with a screenshot of 30 KiB fill the disk within a second. */
const ATTACHMENT = Buffer.alloc(30 * 1_024, 'screen ');
const REFUSED_WITHIN_MS = 1_000;
/** Number of refusals for which the clients keep sending to the full disk. */
const REFUSALS = 100;

/** The disk is smaller than the spool's limit, so that the limit cannot prevent the fault. */
export const fullDisk: Experiment = {
  id: 'F8',
  fault: 'disk full',
  target: '503 within 1 s, alive, nothing corrupt; drains and accepts again without a restart',
  lacks: lacksRoot,
  run: fillDisks,
  gate: fillDisks,
};

async function fillDisks(trial: Trial): Promise<void> {
  await filledByErrata(trial);
  await filledByOthers(trial);
}

async function filledByErrata(trial: Trial): Promise<void> {
  const { findings, scratch } = trial;
  const rig = await Rig.start(trial, { dataDir: scratch.tmpfs('full', `size=${DISK_MIB}m`) });
  await rig.upstream.down();
  await refuse(trial, rig, 'own');
  findings.add(await isLive(rig), 'alive while full');
  await rig.upstream.up();
  await judge(rig, findings, { duplicates: 0, atLeast: 50 });
  await judgeRestart(trial, rig);
}

/** The file of another process fills the disk and is removed again; the upstream works throughout. */
async function filledByOthers(trial: Trial): Promise<void> {
  const { findings, scratch } = trial;
  const dataDir = scratch.tmpfs('shared', `size=${DISK_MIB}m`);
  const rig = await Rig.start(trial, { dataDir });
  await rig.send();
  const ballast = join(dataDir, 'ballast');
  fillDisk(ballast);
  await refuse(trial, rig, 'others');
  rmSync(ballast);
  const load = rig.load({ senders: 8, kinds: ['error'], attachment: ATTACHMENT });
  await load.untilCount(200, 1);
  await load.stop();
  findings.add(true, 'filled by another process: accepts when there is space');
  judgeAnswers(trial, load);
  await judge(rig, findings, { duplicates: 0 });
  await judgeRestart(trial, rig);
}

/** Fills the rest of the disk and continues to send: each envelope is accepted or refused, and refused soon. */
async function refuse(trial: Trial, rig: Rig, by: string): Promise<void> {
  const filling = rig.load({ senders: 16, kinds: ['error'], attachment: ATTACHMENT });
  await filling.untilCount(503, 1);
  await filling.stop();
  judgeAnswers(trial, filling);
  await trial.findings.duration(`slowest 503 (disk filled by ${by})`, REFUSED_WITHIN_MS, async () => {
    const load = rig.load({ senders: 16, kinds: ['error'], attachment: ATTACHMENT });
    await load.untilCount(503, REFUSALS);
    await load.stop();
    judgeAnswers(trial, load);
    return Math.max(...load.answers.filter(({ status }) => status === 503).map(({ ms }) => ms));
  });
}

/** Fills the free space of the disk while Errata writes to it. */
function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const bytes of [Buffer.alloc(2 ** 16), Buffer.alloc(2 ** 10)]) while (writes(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Writes a block and returns whether there was space for it. */
function writes(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}

function judgeAnswers({ findings }: Trial, load: Loader): void {
  findings.equal('other answers than 200 and 503, and cuts', load.countOthers(200, 503), 0);
}

async function isLive({ errata }: Rig): Promise<boolean> {
  return (await fetch(`${errata.managementUrl}/livez`)).status === 200;
}

/** Checks that the data on the disk is undamaged after it was full. */
async function judgeRestart({ findings }: Trial, rig: Rig): Promise<void> {
  await rig.errata.kill();
  await rig.errata.start();
  findings.equal('damage found at the next start', await spoolFaults(rig.errata), 0);
  findings.equal('missing after it', await fate(rig.errata, 'missing'), 0);
}
