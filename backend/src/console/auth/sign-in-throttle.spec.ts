import { SignInThrottle } from './sign-in-throttle.ts';

it('counts a network of IPv6 as one sender, and an address of IPv4', () => {
  const throttle = new SignInThrottle(() => 0);

  const guess = (address: (host: number) => string) =>
    Array.from({ length: 11 }, (_, host) => throttle.waitMs(address(host))).filter((waitMs) => waitMs > 0)
      .length;

  expect(guess((host) => `2001:db8:0:1::${host}`)).toBe(1);
  expect(guess((host) => `2001:db8:0:${host + 2}::1`)).toBe(0);
  expect(guess((host) => `::ffff:198.51.100.${host}`)).toBe(0);
});
