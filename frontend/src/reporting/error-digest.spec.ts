import { serverDigest } from './error-digest.ts';

it('finds the digest on the error itself', () => {
  expect(serverDigest(Object.assign(new Error('failed'), { digest: '7KQ4-M2XD' }))).toBe('7KQ4-M2XD');
});

it('finds the digest on a cause, for code that wraps the failure', () => {
  const cause = Object.assign(new Error('failed'), { digest: '7KQ4-M2XD' });

  expect(serverDigest(new Error('could not load the cart', { cause }))).toBe('7KQ4-M2XD');
});

it.each([
  ['no digest', new Error('plain')],
  ['a digest that is no text', Object.assign(new Error('odd'), { digest: 5 })],
  ['markup instead of a digest', Object.assign(new Error('odd'), { digest: '<b>' })],
  ['a digest of 65 characters', Object.assign(new Error('odd'), { digest: 'A'.repeat(65) })],
  ['a thrown string', 'failed'],
  ['undefined', undefined],
])('finds none in %s', (_name, error) => {
  expect(serverDigest(error)).toBeNull();
});

it('does not follow a circle of causes for ever', () => {
  const error = new Error('round');
  error.cause = error;

  expect(serverDigest(error)).toBeNull();
});
