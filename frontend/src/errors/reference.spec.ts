import { referenceOf } from './reference.ts';

it.each([
  ['00000000000000000000000000000000', '0000-0000'],
  ['ffffffffff0000000000000000000000', 'ZZZZ-ZZZZ'],
  ['0000000001ffffffffffffffffffffff', '0000-0001'],
  ['15b0d5f159ed49c36a6c7d7fbd2f39aa', '2PRD-BWAS'],
])('reads the first 40 bits of %s as %s', (eventId, reference) => {
  expect(referenceOf(eventId)).toBe(reference);
});
