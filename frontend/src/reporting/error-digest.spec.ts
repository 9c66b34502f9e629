import { serverFailure } from './error-digest.ts';

const NAMES = { digest: '7KQ4-M2XD', reference: 'ABCD-1234' };

it('finds digest and reference on the error itself', () => {
  expect(serverFailure(Object.assign(new Error('failed'), NAMES))).toEqual(NAMES);
});

it('finds them on a cause, for code that wraps the failure', () => {
  const cause = Object.assign(new Error('failed'), NAMES);

  expect(serverFailure(new Error('could not load the cart', { cause }))).toEqual(NAMES);
});

it.each([undefined, 5, '<b>'])('finds the digest beside the reference %p', (reference) => {
  const error = Object.assign(new Error('failed'), { digest: '7KQ4-M2XD', reference });

  expect(serverFailure(error)).toEqual({ digest: '7KQ4-M2XD', reference: null });
});

it.each([
  ['no digest', new Error('plain')],
  ['a reference without a digest', Object.assign(new Error('odd'), { reference: 'ABCD-1234' })],
  ['a digest that is no text', Object.assign(new Error('odd'), { digest: 5 })],
  ['markup instead of a digest', Object.assign(new Error('odd'), { digest: '<b>' })],
  ['a digest of 65 characters', Object.assign(new Error('odd'), { digest: 'A'.repeat(65) })],
  ['a thrown string', 'failed'],
  ['undefined', undefined],
])('finds none in %s', (_name, error) => {
  expect(serverFailure(error)).toBeNull();
});

it('does not follow a circle of causes for ever', () => {
  const error = new Error('round');
  error.cause = error;

  expect(serverFailure(error)).toBeNull();
});
