import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { html, take } from '../parts/answers.ts';
import { judge } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';
import { since } from '../parts/waiting.ts';
import { judgeRefused } from './f04-refusals.ts';

/** Statuses of the pages by which the intermediary answers everything, each for a project of its own. */
const PAGES = [405, 413, 400, 403, 200] as const;
/** The project with one refused envelope. */
const AMONG_OTHERS = PAGES.length + 1;

interface Form {
  /** New envelopes of each project in a second. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly backoffMaxMs: number;
}

/** The short form ends with its longest pause. */
const SHORT: Form = { perSecond: 5, seconds: 10, backoffMaxMs: 4_000 };
const LONG: Form = { perSecond: 5, seconds: 600, backoffMaxMs: 60_000 };
const BACKOFF_MIN_MS = 500;

/** Seconds in which the pauses grow; afterwards the number of requests is limited. */
const GROWTH_S = 5;
const MAX_PER_SECOND = 2;
const RECOVERY_LIMIT_S = 120;

/** Envelopes of each project in the gate, and the requests that meet a page: each envelope meets several. */
const GATE_ENVELOPES = 10;
const GATE_PAGES = 3 * GATE_ENVELOPES;
const GATE_BACKOFF = { ERRATA_BACKOFF_MIN: '10ms', ERRATA_BACKOFF_MAX: '50ms' };

export const intermediary: Experiment = {
  id: 'F26',
  fault: 'an intermediary answers everything with a page: 405, 413, 400, 403, 200; a 413 for one envelope',
  target:
    'everything acknowledged arrives within 120 s, 0 dead letters; <= 2 requests a second after 5 s; the 413: a dead letter after 2 attempts',
  run: async (trial) => {
    const form = trial.form === 'long' ? LONG : SHORT;
    await trial.findings.timed(GROWTH_S * 1_000, async (times) => {
      const rig = await startBehindPages(trial, {
        ERRATA_BACKOFF_MIN: `${BACKOFF_MIN_MS}ms`,
        ERRATA_BACKOFF_MAX: `${form.backoffMaxMs}ms`,
      });
      rig.upstream.script = ({ project }) => html(pageOf(project));
      const total = form.perSecond * form.seconds;
      await sendToAll(rig, total, form.perSecond);
      judgeRates(times, rig, form);
      rig.upstream.script = () => take();
      const recoveredAtMs = performance.now();
      await emptied(rig.errata);
      times.atMost('all arrived after', since(recoveredAtMs) / 1_000, RECOVERY_LIMIT_S, ' s');
      await judgeAll(trial, rig, total);
      await rig.errata.kill();
    });
  },
  gate: async (trial) => {
    const rig = await startBehindPages(trial, GATE_BACKOFF);
    rig.upstream.script = ({ project, before }) => (before < GATE_PAGES ? html(pageOf(project)) : take());
    await sendToAll(rig, GATE_ENVELOPES);
    await judgeAll(trial, rig, GATE_ENVELOPES);
  },
};

function pageOf(project: string): number {
  return PAGES[Number(project) - 1] ?? 200;
}

async function startBehindPages(trial: Trial, backoff: Readonly<Record<string, string>>): Promise<Rig> {
  const upstream = new ScriptedUpstream();
  await upstream.up();
  const others = Array.from({ length: AMONG_OTHERS - 1 }, (_, index) => upstream.dsn(index + 2));
  const environment = { ...backoff, ERRATA_TUNNEL_DSNS: others.join(',') };
  return Rig.start(trial, { upstream, environment });
}

/** Sends envelopes to each project at the same time. */
async function sendToAll(rig: Rig, total: number, perSecond?: number): Promise<void> {
  const rate = perSecond === undefined ? {} : { perSecond };
  const options = { senders: 4, total, kinds: ['error'], ...rate } as const;
  await Promise.all(PAGES.map((_, index) => rig.load(options, rig.upstream.dsn(index + 1)).done()));
}

/** Checks the requests of each project since its pauses have grown. */
function judgeRates(times: Findings, { upstream }: Rig, { seconds }: Form): void {
  for (const [index, status] of PAGES.entries()) {
    const seen = upstream.seen.filter(({ project }) => project === String(index + 1));
    const grownAtMs = (seen[0]?.atMs ?? 0) + GROWTH_S * 1_000;
    const count = seen.filter(({ atMs }) => atMs > grownAtMs).length;
    const perSecond = count / (seconds - GROWTH_S);
    times.atMost(`requests with a ${status} after ${GROWTH_S} s`, perSecond, MAX_PER_SECOND, '/s');
  }
}

async function judgeAll(trial: Trial, rig: Rig, total: number): Promise<void> {
  await judge(rig, trial.findings, { atLeast: total * PAGES.length, duplicates: 0 });
  trial.findings.equal('dead letters', await fate(rig.errata, 'dead_lettered'), 0);
  await judgeRefused(trial, rig, AMONG_OTHERS, 413);
}
