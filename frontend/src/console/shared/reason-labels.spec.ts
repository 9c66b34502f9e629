import { reasonLabel } from './reason-labels.ts';

it.each([
  ['timeout', 'it took too long'],
  ['queue_overflow', 'the spool was full'],
  ['status_413', 'too large for the upstream'],
  ['status_503', 'the upstream answered 503'],
  ['from_the_future', 'from the future'],
  ['constructor', 'constructor'],
])('puts %s into words', (code, words) => {
  expect(reasonLabel(code)).toBe(words);
});
