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
