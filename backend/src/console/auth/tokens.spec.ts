import { ConsoleTokens } from './tokens.ts';

it('S7: looks at four guesses at once, and is free again after them', async () => {
  const tokens = new ConsoleTokens({ operator: 'a-token-of-16-chars', support: null });

  const looks = [1, 2, 3].map((guess) => tokens.roleOf(`guess ${guess}`));
  const before = tokens.isBusy;
  looks.push(tokens.roleOf('a-token-of-16-chars'));
  const while4 = tokens.isBusy;
  const roles = await Promise.all(looks);

  expect([before, while4, tokens.isBusy]).toEqual([false, true, false]);
  expect(roles).toEqual([undefined, undefined, undefined, 'operator']);
});
