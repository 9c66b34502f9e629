import { setImmediate } from 'node:timers/promises';
import { ConsoleTokens } from './tokens.ts';

const RIGHT = 'a-token-of-16-chars';
const TOKENS = { operator: RIGHT, support: null };
const ADDRESS = '2001:db8:0:1::7';

/** A slow hash that counts how many of it run at once. */
class CountedHash {
  most = 0;
  #running = 0;

  readonly derive = async (password: string): Promise<Buffer> => {
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await setImmediate();
    this.#running -= 1;
    return Buffer.from(password.padEnd(32));
  };
}

it('S7: hashes two guesses at once, and gives each its answer', async () => {
  const hash = new CountedHash();
  const tokens = new ConsoleTokens(TOKENS, hash.derive);
  await setImmediate();

  const guesses = [...Array.from({ length: 9 }, (_, guess) => `guess ${guess}`), RIGHT];
  const roles = await Promise.all(guesses.map((guess) => tokens.roleOf(guess, ADDRESS)));

  expect(hash.most).toBe(2);
  expect(roles).toEqual([...Array<undefined>(9).fill(undefined), 'operator']);
});

it('S7: lets sixteen more guesses wait, and is free again after them', async () => {
  const tokens = new ConsoleTokens(TOKENS, new CountedHash().derive);
  const look = (guess: number) => tokens.roleOf(`guess ${guess}`, ADDRESS);

  const looks = Array.from({ length: 17 }, (_, guess) => look(guess));
  const before = tokens.isBusy;
  looks.push(look(17));
  const busy = tokens.isBusy;
  await Promise.all(looks);

  expect([before, busy, tokens.isBusy]).toEqual([false, true, false]);
});

it('S7: knows a right token from the network that has sent it, and no other', async () => {
  const tokens = new ConsoleTokens(TOKENS, new CountedHash().derive);
  await tokens.roleOf(RIGHT, ADDRESS);
  await tokens.roleOf('a guess', ADDRESS);

  const known = [ADDRESS, '2001:db8:0:1::8', '2001:db8:0:2::7'].map((address) =>
    tokens.isKnown(RIGHT, address),
  );

  expect([...known, tokens.isKnown('a guess', ADDRESS)]).toEqual([true, true, false, false]);
});
