import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { refuse, take } from '../parts/answers.ts';
import type { Kind, Made } from '../parts/envelopes.ts';
import { compare, judgeFresh } from '../parts/judge.ts';
import { deliveries, emptied, fate } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { preload } from '../parts/preload.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';
import { mustCome } from '../parts/waiting.ts';

/** The kinds of envelopes have the names of their categories, so that the list of a limit names kinds. */
const KINDS: readonly Kind[] = ['error', 'transaction', 'session', 'replay'];
const LIMIT_S = 3;
/** The gate starts Errata again after this time, by its clock. */
const HOUR_MS = 3_600_000;
/** Longer than any test, shorter than the hour. */
const GATE_LIMIT_S = 1_800;
const FLOW_LIMIT_MS = 1_000;
/** HTTP dates have no fractions of a second: the date for a limit of n seconds is the full second after its end. */
const DATE_STEP_MS = 1_000;
/** After this time a limit that ends on a full second has ended. */
const EDGE_MS = DATE_STEP_MS + 100;
/** Difference between the timers of two processes. */
const CLOCK_SLACK_MS = 20;

/** One form of a rate limit, with the categories that it limits. */
interface Form {
  readonly text: string;
  readonly status: 200 | 429;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly limited: readonly Kind[];
  readonly seconds: number;
}

function formsOf(seconds: number): readonly Form[] {
  const retryAfter = (text: string, value: () => string): Form => ({
    text,
    status: 429,
    headers: () => ({ 'retry-after': value() }),
    limited: KINDS,
    seconds,
  });
  const limits = (text: string, status: 200 | 429, limited: readonly Kind[]): Form => ({
    text: `${text} on a ${status}`,
    status,
    headers: () => ({ 'x-sentry-rate-limits': text }),
    limited,
    seconds,
  });
  return [
    retryAfter('Retry-After in seconds', () => `${seconds}`),
    retryAfter('Retry-After as a date', () =>
      new Date(Date.now() + seconds * 1_000 + DATE_STEP_MS).toUTCString(),
    ),
    limits(`${seconds}::organization`, 429, KINDS),
    limits(`${seconds}:transaction:key`, 429, ['transaction']),
    limits(`${seconds}:error:project`, 200, ['error']),
    limits(`${seconds}:transaction;session:organization`, 200, ['transaction', 'session']),
    limits(`${seconds}:replay:key:quota_reason, ${seconds}:session:key`, 200, ['replay', 'session']),
    limits(`nonsense, ${seconds}:transaction:key`, 200, ['transaction']),
  ];
}

/** A 429 without a header limits for one minute; only the long form waits for that. */
const BARE: Form = {
  text: 'a 429 without headers',
  status: 429,
  headers: () => ({}),
  limited: KINDS,
  seconds: 60,
};

export const rateLimits: Experiment = {
  id: 'F3',
  fault: '429 and rate limits in all forms, also on a 200',
  target:
    'other categories arrive within 1 s; no limited item is sent; errors arrive later, other data is dropped and counted',
  run: async (trial) => {
    const forms = [...formsOf(LIMIT_S), ...(trial.form === 'long' ? [BARE] : [])];
    await trial.findings.timed(FLOW_LIMIT_MS, async (times) => {
      const rig = await startLimited(trial, forms);
      await Promise.all(
        forms.map((form, index) => judgeForm(trial, times, rig, { form, project: index + 1 })),
      );
      await judgeAll(trial, rig);
      times.equal('dropped', await fate(rig.errata, 'dropped'), countDropped(forms));
      await rig.errata.kill();
    });
  },
  gate: async (trial) => {
    const forms = formsOf(GATE_LIMIT_S);
    const rig = await startLimited(trial, forms);
    await Promise.all(forms.map((form, index) => judgeOrder(trial, rig, { form, project: index + 1 })));
    // Before its settlement is on the disk, a dropped envelope would be decided once more an hour later.
    await mustCome('the drops', async () => (await fate(rig.errata, 'dropped')) === countDropped(forms));
    await rig.errata.kill();
    const later = await startLimited(trial, forms, rig);
    await judgeAll(trial, later);
    trial.findings.equal('dropped', await fate(later.errata, 'dropped'), countDropped(forms));
  },
};

/** Starts Errata with a project for each form. @param before an hour ago, on the same disk and upstream. */
async function startLimited(trial: Trial, forms: readonly Form[], before?: Rig): Promise<Rig> {
  const upstream = before?.upstream ?? new ScriptedUpstream();
  if (before === undefined) await upstream.up();
  const dsns = forms.map((_, index) => upstream.dsn(index + 1));
  const environment = {
    ERRATA_TUNNEL_DSNS: dsns.slice(1).join(','),
    BENCH_CLOCK_AHEAD_MS: String(before === undefined ? 0 : HOUR_MS),
  };
  upstream.script = ({ project, before: earlier }) => {
    const form = forms[Number(project) - 1];
    if (form === undefined || earlier > 0) return take();
    return form.status === 200 ? take(form.headers()) : refuse(429, form.headers());
  };
  return Rig.start(trial, {
    upstream,
    environment,
    nodeOptions: [preload('shift-clock')],
    ...(before === undefined ? {} : { dataDir: before.errata.dataDir }),
  });
}

/** A form, and the project whose first response has it. */
interface Case {
  readonly form: Form;
  readonly project: number;
}

/** Sends an error and waits until Errata knows the limit of its response. */
async function meetLimit(rig: Rig, { form, project }: Case): Promise<void> {
  await rig.send('error', rig.upstream.dsn(project));
  const outcome = form.status === 200 ? 'delivered' : 'held';
  await mustCome(
    `the first of "${form.text}"`,
    async () => (await deliveries(rig.errata, project, outcome)) > 0,
  );
}

async function sendAllKinds(rig: Rig, project: number): Promise<readonly Made[]> {
  const dsn = rig.upstream.dsn(project);
  return Promise.all(KINDS.map(async (kind) => (await rig.send(kind, dsn)).made));
}

function arrivalOf(rig: Rig, made: Made): number | undefined {
  return rig.upstream.seen.find(({ id }) => id === made.id)?.atMs;
}

/** Checks under a limit that does not end: data without a limit arrives, and Errata decides not to send the rest. */
async function judgeOrder({ findings }: Trial, rig: Rig, one: Case): Promise<void> {
  const { form, project } = one;
  await meetLimit(rig, one);
  const sent = await sendAllKinds(rig, project);
  const limited = sent.filter(({ kind }) => form.limited.includes(kind));
  for (const made of sent.filter((each) => !limited.includes(each))) {
    await mustCome(`${made.kind} of "${form.text}"`, () => arrivalOf(rig, made) !== undefined);
  }
  const decided = async (): Promise<number> =>
    (await deliveries(rig.errata, project, 'held', 'ratelimit')) +
    (await deliveries(rig.errata, project, 'dropped'));
  const known = form.status === 429 ? 1 : 0;
  await mustCome(`the decision on "${form.text}"`, async () => (await decided()) >= limited.length + known);
  const problems = limited.filter((made) => arrivalOf(rig, made) !== undefined);
  findings.add(
    problems.length === 0,
    `${form.text}: ${problems.length} of ${limited.length} limited were sent`,
  );
}

/** Checks the times: data without a limit arrives soon, the rest not before the end of the limit. */
async function judgeForm({ findings }: Trial, times: Findings, rig: Rig, one: Case): Promise<void> {
  const { form, project } = one;
  await meetLimit(rig, one);
  const limitedAtMs = rig.upstream.seen.find((seen) => seen.project === String(project))?.atMs ?? 0;
  const endsAtMs = limitedAtMs + form.seconds * 1_000;
  const sentAtMs = performance.now();
  const sent = await sendAllKinds(rig, project);
  await delay(endsAtMs - performance.now());
  const early = sent.filter((made) => {
    const atMs = arrivalOf(rig, made);
    return form.limited.includes(made.kind) && atMs !== undefined && atMs < endsAtMs - CLOCK_SLACK_MS;
  });
  findings.equal(`${form.text}: sent within the limit`, early.length, 0);
  const slow = sent.filter((made) => {
    const atMs = arrivalOf(rig, made) ?? Infinity;
    return !form.limited.includes(made.kind) && atMs - sentAtMs > FLOW_LIMIT_MS;
  });
  times.equal(`${form.text}: did not flow`, slow.length, 0);
  await delay(EDGE_MS);
  const error = sent.find(({ kind }) => kind === 'error');
  await mustCome('the error', () => error !== undefined && arrivalOf(rig, error) !== undefined);
  const owed = sent.filter(({ kind }) => isDropped(kind) && form.limited.includes(kind));
  const undropped = owed.filter((made) => arrivalOf(rig, made) !== undefined).length;
  times.equal(`${form.text}: limited, but not dropped`, undropped, 0);
}

function isDropped(kind: Kind): boolean {
  return kind !== 'error';
}

function countDropped(forms: readonly Form[]): number {
  return forms.reduce((sum, { limited }) => sum + limited.filter(isDropped).length, 0);
}

/** Checks after all limits that no error is lost. */
async function judgeAll({ findings }: Trial, rig: Rig): Promise<void> {
  await emptied(rig.errata);
  const owed = [...rig.oracle.read()].filter(([, { kind }]) => !isDropped(kind));
  const { lost, changed } = compare(new Map(owed), rig, await fate(rig.errata, 'queued'));
  findings.equal(`errors lost, of ${owed.length}:`, lost.length, 0);
  findings.equal('changed', changed.length, 0);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  await judgeFresh(rig, findings);
}
