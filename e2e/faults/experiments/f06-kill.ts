import type { Experiment, Trial } from '../experiment.ts';
import { hang, take } from '../parts/answers.ts';
import { brokenCopy, type Patch } from '../parts/broken-copy.ts';
import { MIXED } from '../parts/envelopes.ts';
import { judge, judgeStore, mustLose } from '../parts/judge.ts';
import { fate } from '../parts/ledger.ts';
import type { Loader, LoadOptions } from '../parts/loader.ts';
import { Rig } from '../parts/rig.ts';
import type { Seen } from '../parts/scripted-upstream.ts';
import { mustCome, WATCHDOG_MS } from '../parts/waiting.ts';

const SENDERS = 16;
/** Maximum number of unsettled deliveries when the process is killed: the window to an upstream on this machine. */
const CONCURRENCY = 64;
const KILLS = { gate: 2, short: 60, long: 1_000 } as const;
/** Kills of one data directory. */
const PORTION = 60;
/** Maximum number of answers 200 after a start; one of them is the moment of the kill. */
const MAX_ANSWERS = 400;

/** The sink reports "delivered" first, so that the row is deleted, and sends afterwards. */
const DELETE_BEFORE_SEND: readonly Patch[] = [
  {
    file: 'relay/upstream.js',
    pattern: /(?<=\n    )deliver\((\w+)\) \{/g,
    replacement:
      "async deliver($1) { void this.sendLater($1); return $1.map(() => ({ outcome: 'delivered' })); }\n    async sendLater($1) {",
  },
];
/** Transactions of the control C6A, one of them committed, and the answer of a group after which it is killed. */
const GROUP = 8;
const KILLED_IN_GROUP = 5;
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
/** The timeout of a delivery must not end before the kill. */
const PATIENT = { ERRATA_UPSTREAM_HEADERS_TIMEOUT: `${WATCHDOG_MS}ms` };

export const experiments: readonly Experiment[] = [
  { id: 'F6', fault: 'kill -9 under load', run: killOften },
  { id: 'C6A', fault: 'control: answer before the commit', run: ackBeforeCommit },
  { id: 'C6B', fault: 'control: deletion before the delivery', run: deleteBeforeSend },
];

/**
 * Every fourth kill hits an Errata without an upstream, whose store is the only destination. In the gate F29 kills one, and
 * F18 looks into the store.
 */
async function killOften(trial: Trial): Promise<void> {
  for (let left = trial.kills ?? KILLS[trial.scale]; left > 0; left -= PORTION) {
    const kills = Math.min(left, PORTION);
    const alone = Math.floor(kills / 4);
    await killWithUpstream(trial, kills - alone);
    if (alone > 0) await killWithoutUpstream(trial, alone);
  }
}

/** One client sends one envelope at a time, and the upstream never answers, so that each transaction is one append. */
async function ackBeforeCommit(trial: Trial): Promise<void> {
  const root = brokenCopy(trial.scratch, 'early-ack', ACK_BEFORE_COMMIT);
  const rig = await Rig.start(trial, { root, environment: PATIENT });
  rig.upstream.script = hang;
  await killAfter(rig, (load) => load.untilCount(200, KILLED_IN_GROUP), { senders: 1, kinds: ['error'] });
  rig.upstream.script = () => take();
  await mustLose(trial, rig);
}

/** The upstream holds each request, so that nothing has arrived when the process is killed. */
async function deleteBeforeSend(trial: Trial): Promise<void> {
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
}

/**
 * Sends load, kills the process at the moment that the load reaches, and starts it again. Returns the time of the second
 * start: what the upstream has seen before it was sent before the kill.
 */
export async function killAfter(
  rig: Rig,
  moment: (load: Loader) => Promise<void>,
  options: LoadOptions,
): Promise<number> {
  const load = rig.load(options);
  await moment(load);
  await rig.errata.kill();
  await load.stop();
  const startedAtMs = performance.now();
  await rig.errata.start();
  return startedAtMs;
}

/** Kills the process under load, after a random number of answers. */
function killUnderLoad(rig: Rig, { random }: Trial, kinds = MIXED): Promise<number> {
  const answers = 1 + random.below(MAX_ANSWERS);
  return killAfter(rig, (load) => load.untilCount(200, answers), { senders: SENDERS, kinds });
}

async function killWithUpstream(trial: Trial, kills: number): Promise<void> {
  const { findings } = trial;
  const rig = await Rig.start(trial);
  const startedAtMs: number[] = [];
  for (let done = 0; done < kills; done += 1) startedAtMs.push(await killUnderLoad(rig, trial));
  findings.add(true, `${kills} kills`);
  await judge(rig, findings, { atLeast: kills });
  const mostDuplicates = Math.max(0, ...duplicatesByKill(rig.upstream.seen, startedAtMs));
  findings.atMost('duplicates after one kill, at most', mostDuplicates, CONCURRENCY);
  await rig.errata.kill();
}

/**
 * Assigns each duplicate to the kill that caused it, the first one after the copy before: the envelope was then delivered
 * and not settled. A process that is killed again soon may leave its repeated deliveries to the one after it.
 *
 * @param startedAtMs time of the start after each kill.
 */
function duplicatesByKill(seen: readonly Seen[], startedAtMs: readonly number[]): readonly number[] {
  // The last count is for duplicates without a kill.
  const counts = Array.from({ length: startedAtMs.length + 1 }, () => 0);
  const lastMs = new Map<string, number>();
  for (const { id, atMs, wasTaken } of seen) {
    if (id === null || !wasTaken) continue;
    const beforeMs = lastMs.get(id);
    lastMs.set(id, atMs);
    if (beforeMs === undefined) continue;
    const found = startedAtMs.findIndex((startMs) => startMs > beforeMs);
    const cause = found === -1 ? startedAtMs.length : found;
    counts[cause] = (counts[cause] ?? 0) + 1;
  }
  return counts;
}

async function killWithoutUpstream(trial: Trial, kills: number): Promise<void> {
  const rig = await Rig.start(trial, { upstream: null });
  for (let done = 0; done < kills; done += 1) await killUnderLoad(rig, trial, ['error']);
  await judgeStore(rig, trial.findings, { atLeast: kills });
}
