import { erasedText, erasureOf, erasureLabel } from './erasure-choice.ts';

it.each([
  ['user', ' ann@example.org ', { user: 'ann@example.org' }],
  ['event', '4F0C0000-0000-0000-0000-000000000001', { eventId: '4f0c0000000000000000000000000001' }],
  ['age', '2026-10-01', { before: new Date(2026, 9, 1).toISOString() }],
] as const)('reads the data to erase (%s)', (kind, typed, erasure) => {
  expect(erasureOf(kind, typed)).toEqual(erasure);
});

it.each([
  ['user', '  '],
  ['event', '7KQ4-M2XD'],
  ['age', ''],
  ['age', '2026-13-40'],
] as const)('names nothing yet (%s %j)', (kind, typed) => {
  expect(erasureOf(kind, typed)).toBeNull();
});

it('says what will be forgotten', () => {
  expect(erasureLabel({ user: 'ann' })).toBe('all data about ann');
  expect(erasureLabel({ before: new Date(2026, 9, 1).toISOString() })).toEqual(
    expect.stringMatching(/^all data received before 1 October 2026 at 00:00:00 \S+$/),
  );
});

it('names the erased data', () => {
  expect(erasedText({ events: 1_200, feedback: 1, spooled: 0 })).toBe(
    'Erased: 1,200 events, 1 feedback message and 0 queued envelopes. Issue counts stay.',
  );
  expect(erasedText({ events: 0, feedback: 0, spooled: 0 })).toBe('Nothing to erase.');
});
