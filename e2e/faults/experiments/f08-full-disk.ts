import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrataProcess } from '../../fixtures/errata-process.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { fate, intakeRejecting, spoolCap, spoolFaults } from '../parts/ledger.ts';
import type { Loader } from '../parts/loader.ts';
import { lacksLoopDisk, LoopDisk } from '../parts/loop-disk.ts';
import { lacksRoot } from '../parts/machine.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, since } from '../parts/waiting.ts';

/** Size of the volume; the one of the gate holds some 150 of {@link ERRORS}. */
const MB = { gate: 96, short: 300, long: 300 } as const;
/** Errors of 25 KiB that neither gzip nor a file system makes smaller. */
const ERRORS = { kinds: ['error'], isUnique: true, attachment: randomBytes(25 * 1_024) } as const;
const REFUSED_WITHIN_MS = 1_000;
const SAID_WITHIN_MS = 2_000;
/** Number of refusals for which the clients keep sending to the full disk. */
const REFUSALS = { gate: 20, short: 100, long: 100 } as const;
/** Envelopes that are accepted when another program has given its space back. */
const ACCEPTED = 50;
/** Space that another program leaves at a first start. */
const ROOM_AT_START = 32 * 2 ** 20;
/** Free part of the volume when all is delivered. */
const FREE_SHARE = 0.05;

export const experiments: readonly Experiment[] = [
  { id: 'F8', fault: 'disk full', lacks: lacksRoot, run: fillDisks },
];

/** One volume is filled again and again; the spool's file grows when another program takes the space first. */
async function fillDisks(trial: Trial): Promise<void> {
  const volume = newVolume(trial, 'volume');
  const rig = await Rig.start(trial, { dataDir: join(volume, 'data') });
  const { errata, upstream } = rig;
  await filledByOthers(trial, rig, volume);
  await startedWithoutSpace(trial, rig, volume);
  await fill(trial, rig, 'live');
  await upstream.up();
  await judgeDrained(trial, rig, volume, 'live');
  await fill(trial, rig, 'SIGTERM');
  await restart(trial, rig, 'SIGTERM');
  await upstream.up();
  await judgeDrained(trial, rig, volume, 'SIGTERM');
  await errata.kill();
  // A cap rises within a minute: too long for the gate.
  if (trial.scale !== 'gate') await capRises(trial);
}

/** Sends errors in an outage until they are refused. */
async function fill(trial: Trial, rig: Rig, name: string): Promise<void> {
  await rig.upstream.down();
  await refuse(trial, rig, name);
  await saysRejecting(trial, rig);
}

/** Ends the process, starts it again and checks that the data is undamaged. @param beforeStart what happens between. */
async function restart(
  { findings }: Trial,
  { errata }: Rig,
  signal: NodeJS.Signals,
  beforeStart: () => void = () => undefined,
): Promise<void> {
  await errata.signal(signal);
  beforeStart();
  await errata.start();
  findings.equal(`${signal}: damage found at the next start`, await spoolFaults(errata), 0);
  findings.equal('missing after it', await fate(errata, 'missing'), 0);
}

/** Another program takes the last byte before the start, and gives it back later. */
async function startedWithoutSpace(trial: Trial, rig: Rig, volume: string): Promise<void> {
  const { findings } = trial;
  await fill(trial, rig, '0 bytes free');
  const ballast = join(volume, 'ballast');
  await restart(trial, rig, 'SIGKILL', () => fillDisk(ballast));
  findings.equal('starts with 0 bytes free, /startupz', await statusOf(rig.errata, 'startupz'), 200);
  await refuse(trial, rig, 'start without space');
  await saysRejecting(trial, rig);
  const obligations = rig.obligations;
  await rig.upstream.up();
  await mustCome('all acknowledged at the upstream', () => {
    const arrived = rig.upstream.takenTimes();
    return [...obligations.keys()].every((id) => arrived.has(id));
  });
  findings.add(true, `all ${obligations.size} acknowledged arrive while the disk is full`);
  rmSync(ballast);
  await judgeDrained(trial, rig, volume, '0 bytes free');
}

/** Another program holds nearly the whole volume at the first start, and gives it back: the spool holds more then. */
async function capRises(trial: Trial): Promise<void> {
  const { findings } = trial;
  const volume = newVolume(trial, 'held');
  const ballast = join(volume, 'ballast');
  fillDisk(ballast, ROOM_AT_START);
  const rig = await Rig.start(trial, { dataDir: join(volume, 'data') });
  const capBytes = await spoolCap(rig.errata);
  rmSync(ballast);
  await mustCome('a higher cap of the spool', async () => (await spoolCap(rig.errata)) > capBytes);
  await rig.upstream.down();
  const load = rig.load({ senders: 8, ...ERRORS });
  await load.untilCount(200, Math.ceil((2 * capBytes) / ERRORS.attachment.length));
  await load.stop();
  judgeAnswers(trial, load);
  await rig.upstream.up();
  findings.add(true, `holds twice the ${capBytes} bytes of its start when there is space again`);
  await judgeDrained(trial, rig, volume, 'held by others');
}

/** An ext4 file system in a file; in memory where the machine has no loop devices. */
function newVolume({ scratch, scale }: Trial, folder: string): string {
  const mb = MB[scale];
  return lacksLoopDisk() === null
    ? new LoopDisk(scratch, folder, `${mb}M`).path
    : scratch.tmpfs(folder, `size=${mb}m`);
}

/** The file of another process fills the disk and is removed again; the upstream works throughout. */
async function filledByOthers(trial: Trial, rig: Rig, volume: string): Promise<void> {
  const { findings } = trial;
  await rig.send();
  const ballast = join(volume, 'ballast');
  fillDisk(ballast);
  await refuse(trial, rig, 'another process');
  rmSync(ballast);
  const load = rig.load({ senders: 8, ...ERRORS });
  await load.untilCount(200, ACCEPTED);
  await load.stop();
  findings.add(true, 'filled by another process: accepts when there is space');
  judgeAnswers(trial, load);
  await judge(rig, findings, { duplicates: 0 });
}

/** Sends until the disk or the spool is full, and goes on: each envelope is accepted or refused, and refused soon. */
async function refuse(trial: Trial, rig: Rig, by: string): Promise<void> {
  const filling = rig.load({ senders: 16, ...ERRORS });
  await filling.untilCount(503, 1);
  await filling.stop();
  judgeAnswers(trial, filling);
  await trial.findings.duration(`slowest 503 (${by})`, REFUSED_WITHIN_MS, async () => {
    const load = rig.load({ senders: 8, ...ERRORS });
    await load.untilCount(503, REFUSALS[trial.scale]);
    await load.stop();
    judgeAnswers(trial, load);
    return Math.max(...load.answers.filter(({ status }) => status === 503).map(({ ms }) => ms ?? 0));
  });
}

/** Checks that the process is live and ready, and that probe and metric name the reason. */
async function saysRejecting({ findings }: Trial, { errata }: Rig): Promise<void> {
  const said = async (): Promise<string> =>
    /"(disk_full|spool_full)"/.exec(await (await fetch(`${errata.managementUrl}/readyz`)).text())?.[1] ?? '';
  await findings.duration('says so after', SAID_WITHIN_MS, async () => {
    const startedAtMs = performance.now();
    await mustCome('a reason in /readyz', async () => (await said()) !== '');
    return since(startedAtMs);
  });
  findings.equal(`errata_intake_rejecting, ${await said()}`, await intakeRejecting(errata), 1);
  findings.equal('/readyz', await statusOf(errata, 'readyz'), 200);
  findings.equal('/livez', await statusOf(errata, 'livez'), 200);
}

async function statusOf(errata: ErrataProcess, probe: string): Promise<number> {
  return (await fetch(`${errata.managementUrl}/${probe}`)).status;
}

/** Checks that all acknowledged errors arrived, that errors are accepted again, and that the volume has space. */
async function judgeDrained({ findings }: Trial, rig: Rig, volume: string, how: string): Promise<void> {
  await judge(rig, findings, { atLeast: ACCEPTED });
  findings.equal(`${how}: still rejecting`, await intakeRejecting(rig.errata), 0);
  const { bavail, blocks } = statfsSync(volume);
  findings.atLeast(`${how}: free share of the volume`, Number((bavail / blocks).toFixed(3)), FREE_SHARE);
}

/** Fills the free space of the disk, but for `freeBytes`, while Errata writes to it. */
function fillDisk(path: string, freeBytes = 0): void {
  const file = openSync(path, 'w');
  try {
    for (const bytes of [Buffer.alloc(2 ** 16), Buffer.alloc(2 ** 10)]) while (writes(file, bytes));
  } finally {
    closeSync(file);
  }
  if (freeBytes > 0) truncateSync(path, statSync(path).size - freeBytes);
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
