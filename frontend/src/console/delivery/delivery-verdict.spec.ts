import type { DeliveryCause, DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import { absoluteTime, clockTime } from '../../ui/format/time-text.tsx';
import { DELIVERY, FAILING } from './delivery.fixture.ts';
import { sharesOf, verdictOf } from './delivery-verdict.ts';

const NOW_MS = Date.parse('2026-11-21T03:10:00Z');
const MOVING: DeliveryState = { ...DELIVERY, verdict: { level: 'moving', causes: [] } };
const SINCE = at('2026-11-21T03:01:30Z');
const EXPIRE = absoluteTime(new Date(DELIVERY.errorsExpire ?? ''), NOW_MS);

function at(time: string): string {
  return clockTime(new Date(time), NOW_MS);
}

function cause(changes: Partial<DeliveryCause>): DeliveryCause {
  return { ...FAILING, ...changes };
}

/** The state with these causes, worst first. */
function judged(...causes: readonly DeliveryCause[]): DeliveryState {
  return { ...DELIVERY, verdict: { level: causes[0]?.level ?? 'moving', causes } };
}

const UNTIL = '2026-11-21T03:14:00Z';
const REST = { place: null, key: null, reason: null, since: null } as const;
const LIMITED = cause({ kind: 'limited', level: 'queued', until: UNTIL });
const NO_UPSTREAM = cause({ ...REST, kind: 'stranded', place: 'old.example/1', envelopes: 312 });

it.each<[DeliveryCause, string, string, string]>([
  [
    cause({ kind: 'paused', reason: 'status_403' }),
    'bad',
    'sentry.example/42 needs attention',
    `Rejects the DSN since ${SINCE} (HTTP 403). Check key and project.`,
  ],
  [
    cause({ level: 'queued', until: UNTIL }),
    'warn',
    'Waiting for sentry.example/42',
    `HTTP 503 from the upstream since ${SINCE}. Next attempt ${at(UNTIL)}.`,
  ],
  [
    cause({ reason: 'unexpected_answer' }),
    'bad',
    'sentry.example/42 needs attention',
    `Answered with a web page since ${SINCE}. The oldest error expires on ${EXPIRE}.`,
  ],
  [
    cause({ place: null, key: null, reason: 'from_the_future', level: 'queued' }),
    'warn',
    'Waiting for Local store',
    `From the future since ${SINCE}.`,
  ],
  [LIMITED, 'warn', 'Waiting for sentry.example/42', `Errors are limited until ${at(UNTIL)}.`],
  [
    cause({ ...REST, kind: 'rejecting', reason: 'disk_full' }),
    'bad',
    'New errors are rejected',
    'New errors are answered 503: the disk is full.',
  ],
  [
    cause({ ...REST, kind: 'rejecting', reason: 'spool_full' }),
    'bad',
    'New errors are rejected',
    'New errors are answered 503: the queue is full.',
  ],
  [
    NO_UPSTREAM,
    'bad',
    'old.example/1 needs attention',
    '312 envelopes wait for a DSN that is not in the settings, and expire. Add it to ERRATA_TUNNEL_DSNS.',
  ],
  [
    cause({ ...REST, kind: 'unequal', envelopes: 3 }),
    'bad',
    '3 envelopes are missing',
    '3 envelopes are unaccounted for. This is a bug: report it with the server log.',
  ],
  [
    cause({ ...REST, kind: 'unequal', envelopes: -2 }),
    'bad',
    '2 envelopes were counted twice',
    'The counters disagree: 2 envelopes were counted twice. This is a bug: report it.',
  ],
])('of %j says %s: %s', (worst, tone, title, text) => {
  expect(verdictOf(judged(worst), NOW_MS)).toMatchObject({ tone, title, causes: [{ place: null, text }] });
});

it('counts the destinations of the worst level, and names each one', () => {
  const state = judged(NO_UPSTREAM, cause({ place: null, key: null }), LIMITED);

  const { title, causes } = verdictOf(state, NOW_MS);

  expect(title).toBe('2 destinations need attention');
  expect(causes.map(({ place }) => place)).toEqual(['old.example/1', 'Local store', 'sentry.example/42']);
});

it('is good while nothing waits, and quiet before the first envelope', () => {
  expect([MOVING, { ...MOVING, accepted: 0 }].map((state) => verdictOf(state, NOW_MS))).toMatchObject([
    { tone: 'good', title: 'All destinations accept events', causes: [] },
    { tone: 'quiet', title: 'No envelopes yet', causes: [] },
  ]);
});

it('names every end that something came to', () => {
  expect(verdictOf({ ...MOVING, queued: 1, expired: 2, dropped: 3, erased: 4 }, NOW_MS).text).toBe(
    '12,481 envelopes accepted: 12,402 delivered, 1 queued on disk, 12 refused, 2 expired, 3 dropped and 4 erased on request. Dropped items are listed below with the reason.',
  );
});

it('tells of what never came in', () => {
  const rejected = [
    { reason: 'rate_limited', count: 9 },
    { reason: 'too_large', count: 3 },
  ];

  expect(verdictOf({ ...MOVING, rejected }, NOW_MS).text).toMatch(
    /\. 12 envelopes were rejected in the last 24 hours\.$/,
  );
  expect(verdictOf({ ...MOVING, accepted: 0, rejected }, NOW_MS).text).toBe(
    '12 envelopes were rejected in the last 24 hours.',
  );
});

it('draws nothing below zero', () => {
  expect(sharesOf({ ...DELIVERY, missing: -2 }).map(({ count }) => count)).toEqual([
    12_402, 67, 12, 0, 0, 0, 0,
  ]);
});
