import { faultRoute, gatewayFault } from './gateway-fault.ts';
import { PageLimits } from './page-limits.ts';

const DAY_MS = 86_400_000;

describe('PageLimits', () => {
  let nowMs: number;
  let limits: PageLimits;

  beforeEach(() => {
    nowMs = 1_000;
    limits = new PageLimits(() => nowMs);
  });

  /** Counts the pages of a service that are events. */
  const recorded = (pages: number, service = 'shop'): number =>
    Array.from({ length: pages }, () => limits.take(limits.named(service, null).service)).filter(Boolean)
      .length;
  /** Returns the digest of a page. */
  const digestOf = (status: number, host: string, path: string): string => {
    const { service, route } = limits.named(host, faultRoute(status, path));
    return gatewayFault(status, service, route).digest.key;
  };

  it('record 2,000 of 3,000 pages at once, then 5 a second', () => {
    const counts = [recorded(3_000)];
    for (const seconds of [0.1, 0.1, 1, 60, 10_000]) {
      nowMs += seconds * 1_000;
      counts.push(recorded(3_000));
    }

    expect(counts).toEqual([2_000, 0, 1, 5, 300, 2_000]);
  });

  it('count each service by itself', () => {
    recorded(3_000, 'shop');

    expect(recorded(3_000, 'cart')).toBe(2_000);
  });

  it('make at most 101 digests of the 100,000 paths of a service that fails, and one of a service that is away', () => {
    const paths = Array.from(
      { length: 100_000 },
      (_, number) => `/${number.toString(2).replaceAll('0', 'x').replaceAll('1', 'y')}`,
    );

    const failed = new Set(paths.map((path) => digestOf(500, 'shop', path)));
    const away = new Set(paths.map((path) => digestOf(503, 'shop', path)));

    expect([failed.size, away.size]).toEqual([101, 1]);
    expect(failed).toContain(digestOf(500, 'shop', '/x'));
    expect(digestOf(500, 'cart', '/new')).not.toBe(digestOf(500, 'cart', '/'));
  });

  it('make 201 services of 300 hosts, a day', () => {
    const hosts = Array.from({ length: 300 }, (_, number) => `shop-${number}.example`);
    const services = (): number => new Set(hosts.map((host) => limits.named(host, null).service)).size;

    const ofDay = [services(), services()];
    const late = limits.named('shop-299.example', null);
    nowMs += DAY_MS;
    const next = limits.named('shop-299.example', null);

    expect(ofDay).toEqual([201, 201]);
    expect([late.service, next.service]).toEqual(['other', 'shop-299.example']);
  });

  it('begin again after a day', () => {
    const paths = 'abcdefghij'
      .split('')
      .flatMap((one) => 'abcdefghijk'.split('').map((two) => `/${one}/${two}`));
    for (const path of paths) digestOf(500, 'shop', path);
    const full = digestOf(500, 'shop', '/new');
    nowMs += DAY_MS;

    expect(digestOf(500, 'shop', '/new')).not.toBe(full);
  });
});
