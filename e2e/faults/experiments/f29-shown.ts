import { DEMO_SERVER_ERROR_PATH } from '../../../backend/src/contract/routes.ts';
import type { Problem } from '../../../backend/src/contract/problem.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { emptied, meanMs } from '../parts/ledger.ts';
import { get, keptConnections } from '../parts/post.ts';
import { Rig, type RigOptions } from '../parts/rig.ts';
import { StoreLookUp } from '../parts/store-look-up.ts';
import { since } from '../parts/waiting.ts';

/** A page that came later may have gone out without its report: Errata waits no longer for it. */
const PROMISED_MS = 250;
const KILLS = { gate: 5, short: 20, long: 200 };
/** Pages whose durations are measured beside each load. */
const PAGES = 100;
const SENDERS = 8;
/** Envelopes each second of all senders: next to nothing, and a load that the disk of a small machine bears. */
const LOADS = [10, 200];
/** Mean time for which a page waits longer than the disk needs for a commit. */
const WAIT_LIMIT_MS = 10;
const MEDIAN = 50;

export const shown: Experiment = {
  id: 'F29',
  fault: 'kill -9 at the moment the error page is received',
  target: `every reference shown is found, ${KILLS.long} kills [${KILLS.short}; gate: ${KILLS.gate}]; pages wait at most ${WAIT_LIMIT_MS} ms longer than a commit takes`,
  run: async (trial) => {
    await judgeKills(trial, trial.kills ?? KILLS[trial.form]);
    await judgeWaits(trial);
  },
  gate: (trial) => judgeKills(trial, KILLS.gate),
};

async function judgeKills(trial: Trial, kills: number): Promise<void> {
  const { lost, promised, rig } = await killAtPages(trial, kills);
  trial.findings.add(lost === 0 && promised > 0, `${lost} of ${promised} references lost in ${kills} kills`);
  await rig.errata.kill();
}

/**
 * Requests an error page, kills the process at the first byte of it and starts it again. The page is problem details,
 * which has the reference of the event. Returns the number of references that came within {@link PROMISED_MS}, and of
 * those among them that are not found at the end.
 */
export async function killAtPages(
  trial: Trial,
  kills: number,
  options: RigOptions = {},
): Promise<{ readonly lost: number; readonly promised: number; readonly rig: Rig }> {
  const rig = await Rig.start(trial, { ...options, upstream: null });
  const { errata } = rig;
  const references: string[] = [];
  for (let done = 0; done < kills; done += 1) {
    const startedAtMs = performance.now();
    const page = await fetch(`${errata.url}${DEMO_SERVER_ERROR_PATH}`, {
      headers: { accept: 'application/problem+json' },
    });
    const isPromised = since(startedAtMs) < PROMISED_MS;
    const killed = errata.kill();
    const { reference } = (await page.json()) as Problem;
    if (page.status !== 500 || reference === undefined) throw new Error(`no error page: ${page.status}`);
    if (isPromised) references.push(reference);
    await killed;
    await errata.start();
  }
  await emptied(errata);
  const lookUp = await StoreLookUp.signIn(errata);
  const found = await Promise.all(references.map((reference) => lookUp.hasReference(reference)));
  return { lost: found.filter((isFound) => !isFound).length, promised: references.length, rig };
}

/** Measures pages beside each load, each in a process of its own, whose counts are only these. */
async function judgeWaits(trial: Trial): Promise<void> {
  await trial.findings.timed(
    WAIT_LIMIT_MS,
    async (times) => {
      for (const perSecond of LOADS) {
        const rig = await Rig.start(trial);
        const load = rig.load({ senders: SENDERS, perSecond });
        const name = `beside ${perSecond} envelopes a second`;
        const ms = await pageMs(rig);
        await load.stop();
        times.add(true, `${name}: page p50 ${ms.toFixed(1)} ms`);
        const commitMs = await meanMs(rig.errata, 'errata_spool_commit_seconds');
        const waitMs = await meanMs(rig.errata, 'errata_report_wait_seconds');
        const longer = `${name}: pages wait longer than a commit of ${commitMs.toFixed(1)} ms by`;
        times.atMost(longer, waitMs - commitMs, WAIT_LIMIT_MS, ' ms');
        await rig.errata.kill();
      }
    },
    MEDIAN,
  );
}

/** Returns the median duration of error pages, one after the other. */
async function pageMs({ errata }: Rig): Promise<number> {
  const agent = keptConnections();
  const all: number[] = [];
  for (let left = PAGES; left > 0; left -= 1) {
    all.push((await get(`${errata.url}${DEMO_SERVER_ERROR_PATH}`, agent)).ms);
  }
  agent.destroy();
  return all.toSorted((one, other) => one - other)[PAGES / 2] ?? Number.NaN;
}
