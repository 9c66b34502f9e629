import { SignInThrottle } from './sign-in-throttle.ts';

const ADDRESS = '198.51.100.7';

/** Fails so many times, each from an address of its own. Returns how many of them had to wait before. */
function failures(throttle: SignInThrottle, count: number, address: (attempt: number) => string): number {
  return Array.from({ length: count }, (_, attempt) => {
    const waitMs = throttle.waitMs(address(attempt));
    throttle.failed(address(attempt));
    return waitMs;
  }).filter((waitMs) => waitMs > 0).length;
}

it('S7: counts a network of IPv6 as one sender, and an address of IPv4', () => {
  const throttle = new SignInThrottle(() => 0);

  expect(failures(throttle, 11, (host) => `2001:db8:0:1::${host}`)).toBe(1);
  expect(failures(throttle, 11, (host) => `2001:db8:0:${host + 2}::1`)).toBe(0);
  expect(failures(throttle, 11, (host) => `::ffff:198.51.100.${host}`)).toBe(0);
});

it('S10: counts the networks of an IPv6 /48 together', () => {
  const throttle = new SignInThrottle(() => 0);

  expect(failures(throttle, 41, (network) => `2001:db8:0:${network}::1`)).toBe(1);
  expect(throttle.waitMs('2001:db8:1::1')).toBe(0);
});

describe('the failures of all senders', () => {
  const OPERATOR = '192.0.2.1';

  /** Fails 60 times, each from a network of its own, of which the third number is this. */
  const attack = (throttle: SignInThrottle, third: number) =>
    failures(throttle, 60, (host) => `198.51.${third}.${host}`);

  it('S7: let a network guess that has not failed since, until 60 networks have', () => {
    const throttle = new SignInThrottle(() => 0);
    throttle.failed(OPERATOR);
    failures(throttle, 59, (host) => `198.51.100.${host % 6}`);

    const first = throttle.guessWaitMs(OPERATOR);
    failures(throttle, 59, (host) => `198.51.101.${host}`);
    const second = throttle.guessWaitMs(OPERATOR);
    throttle.failed('198.51.102.1');

    expect([first, second, throttle.guessWaitMs(OPERATOR)]).toEqual([0, 0, 60_000]);
  });

  it('S7: let a network guess again that has failed once since, until 60 networks have failed twice', () => {
    const throttle = new SignInThrottle(() => 0);
    attack(throttle, 100);
    throttle.failed(OPERATOR);
    attack(throttle, 101);

    const first = throttle.guessWaitMs(OPERATOR);
    attack(throttle, 101);

    expect([first, throttle.guessWaitMs(OPERATOR)]).toEqual([0, 60_000]);
  });

  it('reserve nothing for a network that has failed twice during them within an hour', () => {
    let nowMs = 0;
    const throttle = new SignInThrottle(() => nowMs);
    attack(throttle, 100);
    failures(throttle, 2, () => OPERATOR);

    const waits = [3_599_999, 3_660_000].map((atMs) => {
      nowMs = atMs;
      attack(throttle, 100);
      return throttle.guessWaitMs(OPERATOR);
    });

    expect(waits).toEqual([60_000, 0]);
  });

  it('S7: leave the reserve to others where one network goes on to fail', () => {
    const throttle = new SignInThrottle(() => 0);
    attack(throttle, 100);

    failures(throttle, 200, () => '198.51.101.1');

    expect(throttle.guessWaitMs(OPERATOR)).toBe(0);
  });

  it('never stop what is no guess, and are over after a minute', () => {
    let nowMs = 0;
    const throttle = new SignInThrottle(() => nowMs);
    failures(throttle, 120, (host) => `198.51.100.${host}`);

    const own = [throttle.waitMs(OPERATOR), throttle.waitMs('198.51.100.7')];
    nowMs = 60_000;

    expect([...own, throttle.guessWaitMs(OPERATOR)]).toEqual([0, 0, 0]);
  });
});

it('counts no attempt that did not fail', () => {
  const throttle = new SignInThrottle(() => 0);

  const waits = Array.from({ length: 50 }, () => throttle.waitMs(ADDRESS));

  expect(new Set(waits)).toEqual(new Set([0]));
});

it('lets the sender in again a minute after its first failure', () => {
  let nowMs = 0;
  const throttle = new SignInThrottle(() => nowMs);
  failures(throttle, 9, () => ADDRESS);
  nowMs = 50_000;
  throttle.failed(ADDRESS);

  const waits = [50_000, 59_999, 70_000].map((atMs) => {
    nowMs = atMs;
    return throttle.waitMs(ADDRESS);
  });

  expect(waits).toEqual([10_000, 1, 0]);
});
