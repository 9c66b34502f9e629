import { IpRateLimit, type RateDecision } from './ip-rate-limit.ts';
import { envelope, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer } from './test/tunnel-server.fixture.ts';

const SESSION = envelope({ dsn: UPSTREAM }, [{ type: 'session' }, '{}']);
const OTHER_SESSION = envelope({ dsn: UPSTREAM }, [{ type: 'session' }, '{ }']);
const EVENT = envelope({ dsn: UPSTREAM }, [{ type: 'event' }, '{}']);
const FEEDBACK = envelope({ dsn: UPSTREAM }, [{ type: 'feedback' }, '{}']);
const eventsOf = (count: number): Buffer =>
  envelope({ dsn: UPSTREAM }, ...Array.from({ length: count }, () => [{ type: 'event' }, '{}'] as const));
const MIXED = envelope({ dsn: UPSTREAM }, [{ type: 'session' }, '{}'], [{ type: 'event' }, '{}']);

/** Returns a rate limit with a clock that only the test moves. */
function rateAt(start: number): { rate: IpRateLimit; pass: (ms: number) => void } {
  let nowMs = start;
  const rate = new IpRateLimit({ perMinute: 60, burst: 3 }, () => nowMs);
  return {
    rate,
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

const takes = (rate: IpRateLimit, address: string, count: number): readonly RateDecision[] =>
  Array.from({ length: count }, () => rate.consume(address));

describe('IpRateLimit', () => {
  it('H20: lets a burst pass and then only errors', () => {
    const { rate } = rateAt(0);

    expect(takes(rate, '192.0.2.1', 5)).toEqual(['pass', 'pass', 'pass', 'over', 'over']);
  });

  it('H20: lets one more pass for each elapsed interval, up to the burst', () => {
    const { rate, pass } = rateAt(1e9);
    takes(rate, '192.0.2.1', 4);

    pass(1_000);
    const soon = takes(rate, '192.0.2.1', 2);
    pass(3_600_000);
    const later = takes(rate, '192.0.2.1', 4);

    expect(soon).toEqual(['pass', 'over']);
    expect(later).toEqual(['pass', 'pass', 'pass', 'over']);
  });

  it('H20: lets nothing pass above ten times the rate, and recovers', () => {
    const { rate, pass } = rateAt(0);
    const first = takes(rate, '192.0.2.1', 31);

    pass(100);
    const next = takes(rate, '192.0.2.1', 2);

    expect(first.slice(29)).toEqual(['over', 'flood']);
    expect(next).toEqual(['over', 'flood']);
  });

  it('counts each IPv4 address and each IPv6 network of 64 bits', () => {
    const { rate } = rateAt(0);
    takes(rate, '192.0.2.1', 3);
    takes(rate, '2001:db8::1', 3);

    expect(rate.consume('192.0.2.2')).toBe('pass');
    expect(rate.consume('2001:db8:0:0:ffff::2')).toBe('over');
    expect(rate.consume('2001:db8:1:1::1')).toBe('pass');
  });

  it('S10: refills the /48 of an IPv6 address at four times the rate', () => {
    const { rate, pass } = rateAt(0);
    const fromSite = (count: number): readonly RateDecision[] =>
      Array.from({ length: count }, (_, index) => rate.consume(`2001:db8:7:${index.toString(16)}::1`));

    const first = fromSite(4);
    pass(500);
    const later = fromSite(3);

    expect(first).toEqual(['pass', 'pass', 'pass', 'over']);
    expect(later).toEqual(['pass', 'pass', 'over']);
  });

  it('H20: takes a token for each event, and none where the bucket has too few', () => {
    const { rate } = rateAt(0);
    const decisions = [3, 17, 11, 10, 1].map((events) => rate.consume('192.0.2.1', { events, reports: 0 }));

    expect(decisions).toEqual(['pass', 'over', 'flood', 'over', 'flood']);
  });

  it('H20: limits browser reports by a bucket of their own', () => {
    const { rate } = rateAt(0);
    const decisions = [30, 1].map((reports) => rate.consume('192.0.2.1', { events: 0, reports }));

    expect(decisions).toEqual(['pass', 'flood']);
    expect(takes(rate, '192.0.2.1', 31)).toEqual(takes(rateAt(0).rate, '192.0.2.1', 31));
  });

  it('evicts the least recently used network, so that its memory is bounded', () => {
    const { rate } = rateAt(0);
    takes(rate, '192.0.2.1', 4);
    takes(rate, '192.0.2.2', 4);

    // Each takes two places: its network and its /48.
    for (let index = 0; index < 24_999; index += 1) rate.consume(`2001:db8:${index.toString(16)}::1`);
    expect(rate.consume('192.0.2.1')).toBe('over');
    rate.consume('198.51.100.1');

    expect(rate.size).toBe(50_000);
    expect(rate.consume('192.0.2.1')).toBe('over');
    expect(rate.consume('192.0.2.2')).toBe('pass');
  });
});

describe('a tunnel with a rate limit for each address', () => {
  const environment = {
    ERRATA_ADDRESS_RATE: '1',
    ERRATA_TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8',
  };
  let tunnel: TunnelServer;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({ environment, limits: { addressBurst: 2 } });
  });

  afterEach(() => tunnel.stop());

  const from = (address: string, body: Buffer) => tunnel.post(body, { 'X-Forwarded-For': address });

  it('H9, H20: answers 429 to non-errors above the rate, and names no errors in the limit', async () => {
    await from('192.0.2.1', SESSION);
    await from('192.0.2.1', OTHER_SESSION);
    const answer = await from('192.0.2.1', SESSION);

    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('120');
    expect(answer.headers['x-sentry-rate-limits']).toMatch(
      /^120:replay;[\w;]*session[\w;]*:key:errata_rate_limited$/,
    );
    expect(answer.headers['x-sentry-rate-limits']).not.toMatch(/error[;:]|feedback|attachment/);
    expect((await tunnel.queued()).length).toBe(2);
  });

  it.each([
    ['an error', EVENT],
    ['feedback', FEEDBACK],
    ['an error with a session', MIXED],
  ] as const)('H20: accepts %s above the rate, up to ten times the rate', async (_, body) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < 21; sent += 1) statuses.push((await from('192.0.2.1', body)).status);

    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });

  it('S10, H20: charges each event of an envelope, and refuses more than ten', async () => {
    const statuses: number[] = [];
    for (const count of [11, 9, 10, 1]) statuses.push((await from('192.0.2.1', eventsOf(count))).status);

    expect(statuses).toEqual([413, 200, 200, 429]);
    expect(await tunnel.queued()).toHaveLength(2);
  });

  it('H20: charges each browser report, but not as an error', async () => {
    const reports = (type: string, count: number) =>
      tunnel.send({
        path: '/reports',
        body: JSON.stringify(Array.from({ length: count }, () => ({ type, url: 'https://shop.example/' }))),
        headers: { 'Content-Type': 'application/reports+json', 'X-Forwarded-For': '192.0.2.1' },
      });
    const statuses: number[] = [];
    for (const count of [20, 20, 101]) statuses.push((await reports('csp-violation', count)).status);
    for (const count of [10]) statuses.push((await reports('crash', count)).status);

    expect(statuses).toEqual([200, 429, 413, 200]);
  });

  it.each(['127.0.0.1', '10.1.2.3', '::1'])(
    'S10: limits %s that a proxy forwards as any other',
    async (address) => {
      const statuses: number[] = [];
      for (let sent = 0; sent < 5; sent += 1) statuses.push((await from(address, SESSION)).status);

      expect(statuses).toEqual([200, 200, 429, 429, 429]);
    },
  );

  it('H20: has one limit for all clients of a trusted proxy that forwards no address', async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < 5; sent += 1) statuses.push((await tunnel.post(SESSION)).status);

    expect(statuses).toEqual([200, 200, 429, 429, 429]);
  });

  it('S10: limits all addresses of an IPv6 /48 together', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 30; index += 1)
      statuses.push((await from(`2001:db8:7:${index.toString(16)}::1`, SESSION)).status);

    expect(statuses.filter((status) => status === 429)).toHaveLength(28);
  });

  it('H20: does not limit other addresses', async () => {
    for (let sent = 0; sent < 4; sent += 1) await from('192.0.2.1', SESSION);

    expect((await from('192.0.2.2', SESSION)).status).toBe(200);
  });
});
