import { reasonLabel } from './reason-labels.ts';

it.each([
  ['timeout', 'timed out'],
  ['queue_overflow', 'queue full'],
  ['status_413', 'too large for the upstream'],
  ['unexpected_answer', 'answered with a web page'],
  ['status_503', 'HTTP 503 from the upstream'],
  ['from_the_future', 'from the future'],
  ['constructor', 'constructor'],
])('puts %s into words', (code, words) => {
  expect(reasonLabel(code)).toBe(words);
});

it('puts the status of the upstream into words in place of the code', () => {
  expect([reasonLabel('send_error', 413), reasonLabel('send_error', 418)]).toEqual([
    'too large for the upstream',
    'HTTP 418 from the upstream',
  ]);
});
