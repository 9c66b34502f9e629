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

it('counts a network of IPv6 as one sender, and an address of IPv4', () => {
  const throttle = new SignInThrottle(() => 0);

  expect(failures(throttle, 11, (host) => `2001:db8:0:1::${host}`)).toBe(1);
  expect(failures(throttle, 11, (host) => `2001:db8:0:${host + 2}::1`)).toBe(0);
  expect(failures(throttle, 11, (host) => `::ffff:198.51.100.${host}`)).toBe(0);
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
