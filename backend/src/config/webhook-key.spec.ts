import { webhookKey } from './value-types.ts';

const keyOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

it.each([24, 32, 64])('reads a key of %d bytes', (bytes) => {
  expect(webhookKey.parse(keyOf(bytes))).toEqual(Buffer.alloc(bytes, 7));
});

it.each([
  ['too short', keyOf(23)],
  ['too long', keyOf(65)],
  ['without its prefix', keyOf(32).slice('whsec_'.length)],
  ['in hexadecimal', `whsec_${'07'.repeat(32)}!`],
  ['with a blank', `${keyOf(32)} `],
])('rejects a key that is %s', (_, text) => {
  expect(webhookKey.safeParse(text).success).toBe(false);
});
