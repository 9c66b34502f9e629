import type { Experiment, Trial } from '../experiment.ts';
import { hang, take } from '../parts/answers.ts';
import { brokenCopy, type Patch } from '../parts/broken-copy.ts';
import { settle } from '../parts/judge.ts';
import { fate } from '../parts/ledger.ts';
import { LoopDisk } from '../parts/loop-disk.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, WATCHDOG_MS } from '../parts/waiting.ts';
import { killAfter } from './f06-kill.ts';
import { lacksForPowerLoss, losePower, startOn } from './f18-power-loss.ts';
import { triesBeforeGood } from './f20-poison.ts';
import { besideHostile } from './f21-slow-bodies.ts';
import { killAtPages } from './f29-shown.ts';

/**
 * Controls: each breaks a guard of the server and passes when the experiment for that guard detects the fault.
 */

/** Transactions of the control C6A, one of them committed, and the answer of a group after which it is killed. */
const GROUP = 8;
const KILLED_IN_GROUP = 5;
/** Far fewer envelopes than SQLite's automatic checkpoint needs (1,000 pages), which flushes the log with NORMAL, too. */
const BEFORE_CHECKPOINT = 50;
/** A kill at a page that came too early loses its report nearly always. */
const CONTROL_KILLS = 5;
/** The timeout of a delivery must not end before the kill. */
const PATIENT = { ERRATA_UPSTREAM_HEADERS_TIMEOUT: `${WATCHDOG_MS}ms` };

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
    replacement: `if ((globalThis.turn = ((globalThis.turn ?? 0) + 1) % ${GROUP}) === 0) $1.exec('COMMIT')`,
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

/** The probe of a failing upstream is the oldest envelope that was not tried. */
const PROBE_OLDEST: readonly Patch[] = [
  { file: 'relay/queue-reader.js', pattern: /queue\.readNewest\(\)/g, replacement: 'queue.readOldest()' },
];

/** The page of a failure goes out at once. */
const PAGE_BEFORE_COMMIT: readonly Patch[] = [
  { file: 'errors/all-exceptions.filter.js', pattern: /await kept;/g, replacement: 'void kept;' },
];

/** Memory is reserved by the announced length, in one pool, before a byte arrives. */
const RESERVE_ANNOUNCED: readonly Patch[] = [
  {
    file: 'tunnel/body-memory.js',
    pattern: /begin\((\w+)\) \{\s+return [^;]*;/g,
    replacement: 'begin($1) {\n        return this.grow($1);',
  },
  {
    file: 'tunnel/body-memory.js',
    pattern: /const SMALL_PART = [^;]*;/g,
    replacement: 'const SMALL_PART = 0;',
  },
];

function control(id: string, fault: string, run: (trial: Trial) => Promise<void>): Experiment {
  return { id, fault, target: 'the fault is detected', run, gate: run };
}

export const normalSync: Experiment = {
  ...control('C18', 'control: synchronous FULL -> NORMAL', async (trial) => {
    const root = brokenCopy(trial.scratch, 'normal', NORMAL);
    const disk = new LoopDisk(trial.scratch, 'disk');
    const rig = await startOn(trial, disk, { root });
    await losePower(trial, rig, disk, BEFORE_CHECKPOINT);
    await rig.upstream.up();
    await mustLose(trial, rig);
  }),
  lacks: lacksForPowerLoss,
};

/** One client sends one envelope at a time, and the upstream never answers, so that each transaction is one append. */
export const ackBeforeCommit = control('C6A', 'control: answer before the commit', async (trial) => {
  const root = brokenCopy(trial.scratch, 'early-ack', ACK_BEFORE_COMMIT);
  const rig = await Rig.start(trial, { root, environment: PATIENT });
  rig.upstream.script = hang;
  await killAfter(rig, (load) => load.untilCount(200, KILLED_IN_GROUP), { senders: 1, kinds: ['error'] });
  rig.upstream.script = () => take();
  await mustLose(trial, rig);
});

/** The upstream holds each request, so that nothing has arrived when the process is killed. */
export const deleteBeforeSend = control('C6B', 'control: deletion before the delivery', async (trial) => {
  const root = brokenCopy(trial.scratch, 'early-delete', DELETE_BEFORE_SEND);
  const rig = await Rig.start(trial, { root, environment: PATIENT });
  const { upstream, errata } = rig;
  upstream.script = hang;
  const deleted = async (): Promise<boolean> =>
    upstream.underWay > 0 && (await fate(errata, 'delivered')) > 0;
  await killAfter(rig, () => mustCome('a deletion before its delivery', deleted), {
    senders: 16,
    kinds: ['error'],
  });
  upstream.script = () => take();
  await mustLose(trial, rig);
});

/** The poison in front of the good envelopes is tried first. */
export const probeOldest = control('C20', 'control: the probe takes the oldest envelope', async (trial) => {
  const root = brokenCopy(trial.scratch, 'oldest-first', PROBE_OLDEST);
  const rig = await Rig.start(trial, { root });
  trial.findings.atLeast('attempts of poison before a good one', await triesBeforeGood(rig), 1);
});

/** The process is killed while the report of the page is on its way to the spool. */
export const pageBeforeCommit = control('C29', 'control: the page before the commit', async (trial) => {
  const root = brokenCopy(trial.scratch, 'early-page', PAGE_BEFORE_COMMIT);
  const { lost } = await killAtPages(trial, CONTROL_KILLS, { root });
  trial.findings.add(lost > 0, `${lost} references lost in ${CONTROL_KILLS} kills`);
});

/** Two announced bodies take all the memory, without a byte. */
export const reserveAnnounced = control('C21', 'control: memory by the announced length', async (trial) => {
  const root = brokenCopy(trial.scratch, 'announced', RESERVE_ANNOUNCED);
  const rig = await Rig.start(trial, { root });
  const { load } = await besideHostile(rig);
  trial.findings.atLeast('small envelopes not answered 200', load.countOthers(200), 1);
});

/** Compares once: each kill is made at a moment at which the broken guard has lost an envelope for certain. */
async function mustLose({ findings }: Trial, rig: Rig): Promise<void> {
  const { lost, obligations } = await settle(rig);
  const counts = `${lost.length} lost of ${obligations.toLocaleString('en')}`;
  findings.add(lost.length > 0, lost.length > 0 ? counts : `${counts}: the experiment is blind`);
}
