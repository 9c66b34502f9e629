import { DELIVERY } from './delivery.fixture.ts';
import { sharesOf, verdictOf } from './delivery-verdict.ts';

it.each([
  [{}, 'good', 'Nothing is lost'],
  [{ shed: 1, delivered: 12_401 }, 'good', 'Everything is accounted for'],
  [{ expired: 1, delivered: 12_401 }, 'good', 'Everything is accounted for'],
  [{ missing: 1, delivered: 12_401 }, 'bad', '1 envelope is missing'],
  [{ missing: 3, delivered: 12_399 }, 'bad', '3 envelopes are missing'],
  [{ missing: -2, delivered: 12_404 }, 'bad', '2 envelopes were counted twice'],
  [{ refused: [{ reason: 'too_large', count: 1 }] }, 'good', 'Nothing that was taken is lost'],
  [{ accepted: 0 }, 'quiet', 'Nothing has come in yet'],
])('of %j says %s: %s', (change, tone, title) => {
  expect(verdictOf({ ...DELIVERY, ...change })).toMatchObject({ tone, title });
});

it('names every end that something came to', () => {
  expect(verdictOf({ ...DELIVERY, held: 1, expired: 2, shed: 3, erased: 4 }).text).toBe(
    'Of 12,481 envelopes received, 12,402 are delivered, 1 waits on the disk, 12 went to the dead letters, 2 grew too old, 3 had to be let go and 4 had to be forgotten, as somebody asked. What was let go is listed below with its reason.',
  );
});

it('tells of what never came in', () => {
  const refused = [
    { reason: 'rate_limited', count: 9 },
    { reason: 'too_large', count: 3 },
  ];

  expect(verdictOf({ ...DELIVERY, refused }).text).toMatch(
    /\. In the last 24 hours 12 envelopes were turned away\.$/,
  );
  expect(verdictOf({ ...DELIVERY, accepted: 0, refused }).text).toBe(
    'In the last 24 hours 12 envelopes were turned away.',
  );
});

it('draws nothing below zero', () => {
  expect(sharesOf({ ...DELIVERY, missing: -2 }).map(({ count }) => count)).toEqual([
    12_402, 67, 12, 0, 0, 0, 0,
  ]);
});
