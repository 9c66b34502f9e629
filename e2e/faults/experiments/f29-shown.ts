import { DEMO_SERVER_ERROR_PATH } from '../../../backend/src/contract/routes.ts';
import type { Problem } from '../../../backend/src/contract/problem.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { brokenCopy, type Patch } from '../parts/broken-copy.ts';
import { emptied, meanMs } from '../parts/ledger.ts';
import { percentile } from '../parts/percentile.ts';
import { type Answered, get, keptConnections } from '../parts/post.ts';
import { preload } from '../parts/preload.ts';
import { Rig, type RigOptions } from '../parts/rig.ts';
import { StoreFinder } from '../parts/store-finder.ts';

const KILLS = { gate: 1, short: 20, long: 200 };
/** Pages whose durations are measured beside each load. */
const PAGES = 100;
const SENDERS = 8;
/** Envelopes each second of all senders: next to nothing, and a load that the disk of a small machine bears. */
const LOADS = { gate: [], short: [10, 200], long: [10, 200] } as const;
/** Mean time for which a page waits longer than the disk needs for a commit. */
const WAIT_LIMIT_MS = 10;
const MEDIAN = 50;

/** A kill at a page that came too early loses its report nearly always: the first one ends the control. */
const CONTROL_KILLS = 5;
/** The page of a failure goes out at once. */
const PAGE_BEFORE_COMMIT: readonly Patch[] = [
  { file: 'errors/all-exceptions.filter.js', pattern: /await kept;/g, replacement: 'void kept;' },
];

export const experiments: readonly Experiment[] = [
  { id: 'F29', fault: 'kill -9 at the moment the error page is received', run: showPages },
  { id: 'C29', fault: 'control: the page before the commit', isLeftOut: true, run: pageBeforeCommit },
];

async function showPages(trial: Trial): Promise<void> {
  const { findings, scale, kills } = trial;
  const shown = kills ?? KILLS[scale];
  findings.equal(`found of ${shown} references`, await foundAfterKills(trial, shown), shown);
  await judgeWaits(trial);
}

/** The process is killed while the report of the page is on its way to the spool. */
async function pageBeforeCommit(trial: Trial): Promise<void> {
  const root = brokenCopy(trial.scratch, 'early-page', PAGE_BEFORE_COMMIT);
  const found = await foundAfterKills(trial, CONTROL_KILLS, { root });
  trial.findings.atMost('references found before one is lost', found, CONTROL_KILLS - 1);
}

/**
 * Requests an error page, kills the process at the first byte of it, starts it again and looks for the event of the page.
 * The page is problem details, which has the reference. Ends at the first one that is not found, and returns the number
 * of those before it.
 */
async function foundAfterKills(trial: Trial, kills: number, options: RigOptions = {}): Promise<number> {
  // On a busy machine a page would go out without its report, as promised, after 250 ms.
  const nodeOptions = [preload('patient-pages')];
  const { errata } = await Rig.start(trial, { ...options, nodeOptions, upstream: null });
  let found = 0;
  for (; found < kills; found += 1) {
    const page = await fetch(`${errata.url}${DEMO_SERVER_ERROR_PATH}`, {
      headers: { accept: 'application/problem+json' },
    });
    const killed = errata.kill();
    const { reference } = (await page.json()) as Problem;
    if (page.status !== 500 || reference === undefined) throw new Error(`no error page: ${page.status}`);
    await killed;
    await errata.start();
    await emptied(errata);
    if (!(await (await StoreFinder.signIn(errata)).hasReference(reference))) break;
  }
  await errata.kill();
  return found;
}

/** Measures pages beside each load, each in a process of its own, whose counts are only these. */
async function judgeWaits(trial: Trial): Promise<void> {
  await trial.findings.timed(
    WAIT_LIMIT_MS,
    async (times) => {
      for (const perSecond of LOADS[trial.scale]) {
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
  const all: Answered[] = [];
  for (let left = PAGES; left > 0; left -= 1) {
    all.push(await get(`${errata.url}${DEMO_SERVER_ERROR_PATH}`, agent));
  }
  agent.destroy();
  return percentile(all, MEDIAN);
}
