import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { refuse, take } from '../parts/answers.ts';
import type { Kind, Made } from '../parts/envelopes.ts';
import { compare, judgeFresh } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';
import { mustCome, waitFor } from '../parts/waiting.ts';

/** The kinds of envelopes have the names of their categories, so that the list of a limit names kinds. */
const KINDS: readonly Kind[] = ['error', 'transaction', 'session', 'replay'];
const LIMIT_S = 3;
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
  readonly seconds?: number;
}

function limits(text: string, status: 200 | 429, limited: readonly Kind[]): Form {
  return {
    text: `${text} on a ${status}`,
    status,
    headers: () => ({ 'x-sentry-rate-limits': text }),
    limited,
  };
}

const FORMS: readonly Form[] = [
  {
    text: 'Retry-After in seconds',
    status: 429,
    headers: () => ({ 'retry-after': `${LIMIT_S}` }),
    limited: KINDS,
  },
  {
    text: 'Retry-After as a date',
    status: 429,
    headers: () => ({ 'retry-after': new Date(Date.now() + LIMIT_S * 1_000 + DATE_STEP_MS).toUTCString() }),
    limited: KINDS,
  },
  limits(`${LIMIT_S}::organization`, 429, KINDS),
  limits(`${LIMIT_S}:transaction:key`, 429, ['transaction']),
  limits(`${LIMIT_S}:error:project`, 200, ['error']),
  limits(`${LIMIT_S}:transaction;session:organization`, 200, ['transaction', 'session']),
  limits(`${LIMIT_S}:replay:key:quota_reason, ${LIMIT_S}:session:key`, 200, ['replay', 'session']),
  limits(`nonsense, ${LIMIT_S}:transaction:key`, 200, ['transaction']),
];
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
    const forms = trial.form === 'long' ? [...FORMS, BARE] : FORMS;
    const upstream = new ScriptedUpstream();
    await upstream.up();
    const dsns = forms.map((_, index) => upstream.dsn(index + 1));
    const environment = { ERRATA_TUNNEL_DSNS: dsns.slice(1).join(',') };
    const rig = await Rig.start(trial, { upstream, environment });
    upstream.script = ({ project, before }) => {
      const form = forms[Number(project) - 1];
      if (form === undefined || before > 0) return take();
      return form.status === 200 ? take(form.headers()) : refuse(429, form.headers());
    };
    await Promise.all(forms.map((form, index) => judgeForm(trial, rig, form, dsns[index] ?? '')));
    const dropped = forms.reduce(
      (sum, { limited }) => sum + limited.filter((kind) => kind !== 'error').length,
      0,
    );
    await emptied(rig.errata);
    trial.findings.equal('dropped', await fate(rig.errata, 'shed'), dropped);
    const owed = [...rig.oracle.read()].filter(([, { kind }]) => kind === 'error');
    const { lost, changed } = compare(new Map(owed), rig, await fate(rig.errata, 'held'));
    trial.findings.equal('errors lost', lost.length, 0);
    trial.findings.equal('changed', changed.length, 0);
    trial.findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
    await judgeFresh(rig, trial.findings);
  },
};

async function judgeForm({ findings }: Trial, rig: Rig, form: Form, dsn: string): Promise<void> {
  const project = dsn.split('/').at(-1);
  const isFrom = ({ project: one }: { readonly project: string }): boolean => one === project;
  await rig.send('error', dsn);
  await mustCome(`the first of "${form.text}"`, () => rig.upstream.seen.some(isFrom));
  const limitedAtMs = rig.upstream.seen.find(isFrom)?.atMs ?? 0;
  const endsAtMs = limitedAtMs + (form.seconds ?? LIMIT_S) * 1_000;
  // The response with the limit must be read before the limit is checked.
  await delay(500);
  const sentAtMs = performance.now();
  const sent = await Promise.all(KINDS.map(async (kind) => (await rig.send(kind, dsn)).made));
  const problems: string[] = [];
  const arrival = (one: Made): number | undefined => rig.upstream.seen.find(({ id }) => id === one.id)?.atMs;
  await waitFor(() => performance.now() > endsAtMs, 90_000);
  for (const one of sent) {
    const atMs = arrival(one);
    const isLimited = form.limited.includes(one.kind);
    if (isLimited && atMs !== undefined && atMs < endsAtMs - CLOCK_SLACK_MS)
      problems.push(`${one.kind} was sent within the limit`);
    if (!isLimited && (atMs === undefined || atMs - sentAtMs > FLOW_LIMIT_MS))
      problems.push(`${one.kind} did not flow`);
  }
  const error = sent.find(({ kind }) => kind === 'error');
  const came = await waitFor(() => error !== undefined && arrival(error) !== undefined, EDGE_MS + 5_000);
  if (!came) problems.push('the error did not come after the limit');
  for (const one of sent) {
    const isDropped = form.limited.includes(one.kind) && one.kind !== 'error';
    if (isDropped && arrival(one) !== undefined) problems.push(`${one.kind} was not dropped`);
  }
  findings.add(
    problems.length === 0,
    `${form.text}: ${problems.length === 0 ? 'kept' : problems.join(', ')}`,
  );
}
