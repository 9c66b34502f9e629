import { DELIVERY } from './delivery.fixture.ts';
import { sharesOf, verdictOf } from './delivery-verdict.ts';

it.each([
  [{}, 'good', 'All accepted events are safe'],
  [{ dropped: 1, delivered: 12_401 }, 'good', 'All accepted events are safe'],
  [{ expired: 1, delivered: 12_401 }, 'good', 'All accepted events are safe'],
  [{ missing: 1, delivered: 12_401 }, 'bad', '1 envelope is missing'],
  [{ missing: 3, delivered: 12_399 }, 'bad', '3 envelopes are missing'],
  [{ missing: -2, delivered: 12_404 }, 'bad', '2 envelopes were counted twice'],
  [{ rejected: [{ reason: 'too_large', count: 1 }] }, 'good', 'All accepted events are safe'],
  [{ accepted: 0 }, 'quiet', 'No envelopes yet'],
])('of %j says %s: %s', (change, tone, title) => {
  expect(verdictOf({ ...DELIVERY, ...change })).toMatchObject({ tone, title });
});

it('names every end that something came to', () => {
  expect(verdictOf({ ...DELIVERY, queued: 1, expired: 2, dropped: 3, erased: 4 }).text).toBe(
    '12,481 envelopes accepted: 12,402 delivered, 1 queued on disk, 12 in dead letters, 2 expired, 3 dropped and 4 erased on request. Dropped items are listed below with the reason.',
  );
});

it('tells of what never came in', () => {
  const rejected = [
    { reason: 'rate_limited', count: 9 },
    { reason: 'too_large', count: 3 },
  ];

  expect(verdictOf({ ...DELIVERY, rejected }).text).toMatch(
    /\. 12 envelopes were rejected in the last 24 hours\.$/,
  );
  expect(verdictOf({ ...DELIVERY, accepted: 0, rejected }).text).toBe(
    '12 envelopes were rejected in the last 24 hours.',
  );
});

it('names paused destinations, which wait for an operator', () => {
  const [upstream] = DELIVERY.sinks;
  const sinks = upstream === undefined ? [] : [{ ...upstream, state: 'paused' as const }];

  expect(verdictOf({ ...DELIVERY, sinks }).text).toMatch(/\. 1 destination is paused; see below\.$/);
});

it('draws nothing below zero', () => {
  expect(sharesOf({ ...DELIVERY, missing: -2 }).map(({ count }) => count)).toEqual([
    12_402, 67, 12, 0, 0, 0, 0,
  ]);
});
