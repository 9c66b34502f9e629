import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { refuse, take } from '../parts/answers.ts';
import type { Kind } from '../parts/envelopes.ts';
import { compare, judgeFresh } from '../parts/judge.ts';
import { deliveries, emptied, fate } from '../parts/ledger.ts';
import { preload } from '../parts/preload.ts';
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';
import { mustCome, since } from '../parts/waiting.ts';

/** The kinds of envelopes have the names of their categories, so that the list of a limit names kinds. */
const KINDS: readonly Kind[] = ['error', 'transaction', 'session', 'replay'];
/** Errata is started again after this time, by its clock. */
const HOUR_MS = 3_600_000;
/** Longer than any test, shorter than the hour. */
const LIMIT_S = 1_800;
const FLOW_LIMIT_MS = 1_000;

/** One form of a rate limit, with the categories that it limits. */
interface Form {
  readonly text: string;
  readonly status: 200 | 429;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly limited: readonly Kind[];
}

const retryAfter = (text: string, value: () => string): Form => ({
  text,
  status: 429,
  headers: () => ({ 'retry-after': value() }),
  limited: KINDS,
});
const limits = (text: string, status: 200 | 429, limited: readonly Kind[]): Form => ({
  text: `${text} on a ${status}`,
  status,
  headers: () => ({ 'x-sentry-rate-limits': text }),
  limited,
});

/** Each on a DSN of its own, in this order. */
const FORMS: readonly Form[] = [
  retryAfter('Retry-After in seconds', () => `${LIMIT_S}`),
  retryAfter('Retry-After as a date', () => new Date(Date.now() + LIMIT_S * 1_000).toUTCString()),
  limits(`${LIMIT_S}::organization`, 429, KINDS),
  limits(`${LIMIT_S}:transaction:key`, 429, ['transaction']),
  limits(`${LIMIT_S}:error:project`, 200, ['error']),
  limits(`${LIMIT_S}:transaction;session:organization`, 200, ['transaction', 'session']),
  limits(`${LIMIT_S}:replay:key:quota_reason, ${LIMIT_S}:session:key`, 200, ['replay', 'session']),
  limits(`nonsense, ${LIMIT_S}:transaction:key`, 200, ['transaction']),
];
const DROPPED = FORMS.flatMap(({ limited }) => limited.filter(isDropped)).length;

export const experiments: readonly Experiment[] = [
  { id: 'F3', fault: '429 and rate limits in all forms, also on a 200', isLeftOut: true, run: limitRates },
];

function limitRates(trial: Trial): Promise<void> {
  return trial.findings.timed(FLOW_LIMIT_MS, (times) => limitOnce(trial, times));
}

async function limitOnce(trial: Trial, times: Findings): Promise<void> {
  const upstream = new ScriptedUpstream();
  await upstream.up();
  upstream.script = ({ project, before }) => {
    const form = FORMS[Number(project) - 1];
    if (form === undefined || before > 0) return take();
    return form.status === 200 ? take(form.headers()) : refuse(429, form.headers());
  };
  const options = { upstream, projects: FORMS.length, nodeOptions: [preload('shift-clock')] };
  const rig = await Rig.start(trial, options);
  await Promise.all(FORMS.map((form, index) => judgeForm(trial, times, rig, { form, project: index + 1 })));
  // Before its settlement is on the disk, a dropped envelope would be decided once more an hour later.
  await mustCome('the drops', async () => (await fate(rig.errata, 'dropped')) === DROPPED);
  await rig.errata.kill();
  const later = await Rig.start(trial, {
    ...options,
    dataDir: rig.errata.dataDir,
    environment: { BENCH_CLOCK_AHEAD_MS: String(HOUR_MS) },
  });
  await judgeAll(trial, rig, later);
  await later.errata.kill();
}

/** Checks under a limit that does not end: data without a limit arrives, and Errata decides not to send the rest. */
async function judgeForm(
  { findings }: Trial,
  times: Findings,
  rig: Rig,
  { form, project }: { readonly form: Form; readonly project: number },
): Promise<void> {
  const { errata, upstream } = rig;
  const dsn = upstream.dsn(project);
  await rig.send('error', dsn);
  const outcome = form.status === 200 ? 'delivered' : 'held';
  const isKnown = async (): Promise<boolean> => (await deliveries(errata, project, outcome)) > 0;
  await mustCome(`the first of "${form.text}"`, isKnown);
  const sentAtMs = performance.now();
  const sent = await Promise.all(KINDS.map(async (kind) => (await rig.send(kind, dsn)).made));
  const free = sent.filter(({ kind }) => !form.limited.includes(kind));
  for (const made of free) await mustCome(`${made.kind} of "${form.text}"`, () => rig.hasArrived(made));
  times.atMost(`${form.text}: the others arrived after`, since(sentAtMs), FLOW_LIMIT_MS, ' ms');
  const limited = sent.filter(({ kind }) => form.limited.includes(kind));
  const decided = async (): Promise<number> =>
    (await deliveries(errata, project, 'held', 'ratelimit')) + (await deliveries(errata, project, 'dropped'));
  const known = form.status === 429 ? 1 : 0;
  await mustCome(`the decision on "${form.text}"`, async () => (await decided()) >= limited.length + known);
  const problems = limited.filter(({ id }) => upstream.seen.some((seen) => seen.id === id));
  findings.equal(`${form.text}: sent, of ${limited.length} limited:`, problems.length, 0);
}

function isDropped(kind: Kind): boolean {
  return kind !== 'error';
}

/** Checks after all limits that no error is lost, and that other data was dropped once. */
async function judgeAll({ findings }: Trial, before: Rig, rig: Rig): Promise<void> {
  await emptied(rig.errata);
  const owed = [...before.obligations].filter(([, { kind }]) => !isDropped(kind));
  const { lost, changed } = compare(new Map(owed), rig, await fate(rig.errata, 'queued'));
  findings.equal(`errors lost, of ${owed.length}:`, lost.length, 0);
  findings.equal('changed', changed.length, 0);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  findings.equal('dropped', await fate(rig.errata, 'dropped'), DROPPED);
  await judgeFresh(rig, findings);
}
