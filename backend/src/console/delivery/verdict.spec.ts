import { DAY_MS } from '../../time/iso.ts';
import { type DeliveryFacts, type JudgedSink, verdictOf } from './verdict.ts';

const NOW_MS = 20_000 * DAY_MS;
const JUST_MS = NOW_MS - 299_000;
const LONG_MS = NOW_MS - 300_000;

function sink(changes: Partial<JudgedSink> = {}): JudgedSink {
  const place = 'sentry.example/42';
  const calm = { state: 'flowing', reason: null, isWaiting: false, isLimited: false, limits: [] } as const;
  return { place, key: '0123abcd', ...calm, ...changes };
}

function limited(...categories: readonly string[]): JudgedSink {
  return sink({ isLimited: true, limits: [{ categories, untilMs: NOW_MS + 1_000 }] });
}

function failing(sinceMs: number, changes: Partial<JudgedSink> = {}): JudgedSink {
  return sink({ state: 'failing', reason: 'status_503', isWaiting: true, sinceMs, ...changes });
}

const PAUSED = failing(JUST_MS, {
  state: 'paused',
  reason: 'dsn_rejected',
  rejections: { times: 5, status: 403 },
});

function judged(...sinks: readonly JudgedSink[]): DeliveryFacts {
  return { sinks, rejecting: null };
}

/** Returns each cause as `kind level reason`. */
function causesOf(facts: DeliveryFacts): readonly string[] {
  return verdictOf(facts, NOW_MS).causes.map(({ kind, level, reason }) => `${kind} ${level} ${reason}`);
}

it.each<[string, DeliveryFacts, string, readonly string[]]>([
  ['nothing at all', judged(), 'moving', []],
  ['a sink that accepts', judged(sink({ isWaiting: true })), 'moving', []],
  ['a paused sink', judged(PAUSED), 'action', ['paused action status_403']],
  [
    'a paused sink without a response',
    judged({ ...PAUSED, rejections: { times: 5, status: null } }),
    'action',
    ['paused action dsn_rejected'],
  ],
  ['a paused sink without an envelope', judged({ ...PAUSED, isWaiting: false }), 'moving', []],
  ['a failure for 4:59', judged(failing(JUST_MS)), 'queued', ['failing queued status_503']],
  ['a failure for 5:00', judged(failing(LONG_MS)), 'action', ['failing action status_503']],
  [
    'a failure of the store',
    judged(failing(LONG_MS, { place: null })),
    'action',
    ['failing action status_503'],
  ],
  ['a failure without an envelope', judged(failing(LONG_MS, { isWaiting: false })), 'moving', []],
  [
    'few envelopes that fail, and none that is accepted',
    judged(failing(LONG_MS, { state: 'flowing', reason: 'unexpected_answer' })),
    'action',
    ['failing action unexpected_answer'],
  ],
  [
    'a limit of errors, for which none waits',
    judged({ ...limited('error'), isLimited: false }),
    'moving',
    [],
  ],
  ...[['error'], ['default'], ['replay', 'feedback'], []].map(
    (categories): [string, DeliveryFacts, string, readonly string[]] => [
      `a limit of ${categories.join()} that holds envelopes`,
      judged(limited(...categories)),
      'queued',
      ['limited queued null'],
    ],
  ),
  ['a limit of replays', judged(limited('replay')), 'moving', []],
  ['a full disk', { sinks: [], rejecting: 'disk_full' }, 'action', ['rejecting action disk_full']],
  [
    'envelopes for a DSN that is not in the settings',
    { ...judged(), stranded: [{ project: 'https://key@sentry.example/7', envelopes: 312 }] },
    'action',
    ['stranded action null'],
  ],
  ['a missing envelope', { ...judged(), missing: 1 }, 'action', ['unequal action null']],
  ['an envelope counted twice', { ...judged(), missing: -1 }, 'action', ['unequal action null']],
  [
    'all of them, worst first',
    {
      sinks: [limited(), failing(JUST_MS), failing(LONG_MS), PAUSED],
      rejecting: 'spool_full',
      stranded: [{ project: 'https://key@sentry.example/7', envelopes: 1 }],
      missing: 1,
    },
    'action',
    [
      'unequal action null',
      'rejecting action spool_full',
      'paused action status_403',
      'stranded action null',
      'failing action status_503',
      'failing queued status_503',
      'limited queued null',
    ],
  ],
])('judges %s', (_, facts, level, causes) => {
  expect(verdictOf(facts, NOW_MS).level).toBe(level);
  expect(causesOf(facts)).toEqual(causes);
});

it('names the destination, the times, the later limit and the number of envelopes', () => {
  const limits = [1, 2].map((seconds) => ({ categories: [], untilMs: NOW_MS + seconds * 1_000 }));
  const facts = {
    ...judged(
      failing(LONG_MS, { nextAttemptMs: NOW_MS + 60_000 }),
      sink({ isLimited: true, limits, key: '9' }),
    ),
    stranded: [{ project: 'https://key@sentry.example:8443/7', envelopes: 312 }],
  };

  expect(verdictOf(facts, NOW_MS).causes).toMatchObject([
    { kind: 'stranded', place: 'sentry.example:8443/7', key: 'key', envelopes: 312 },
    {
      kind: 'failing',
      place: 'sentry.example/42',
      key: '0123abcd',
      since: '2024-10-03T23:55:00.000Z',
      until: '2024-10-04T00:01:00.000Z',
    },
    { kind: 'limited', key: '9', until: '2024-10-04T00:00:02.000Z' },
  ]);
});
