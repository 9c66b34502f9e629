import { randomBytes } from 'node:crypto';
import { SpoolShare } from './spool-share.ts';
import { envelope, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer } from './test/tunnel-server.fixture.ts';

/** Returns the shares of a spool whose fill only the test changes. */
function sharesAt(start: number): { shares: SpoolShare; fillTo: (fill: number) => void } {
  let fill = start;
  const shares = new SpoolShare(() => fill);
  return {
    shares,
    fillTo: (next) => {
      fill = next;
    },
  };
}

describe('SpoolShare', () => {
  it('lets a network add more than a tenth of the spool up to half of it', () => {
    const { shares } = sharesAt(0.5);
    shares.add('192.0.2.1', 0.4);

    expect(shares.isUsedUp('192.0.2.1')).toBe(false);
  });

  it('lets a network add a tenth above half, and no other pays for it', () => {
    const { shares } = sharesAt(0.51);
    const used = [0.05, 0.05, 0.01].map((part) => {
      shares.add('192.0.2.1', part);
      return shares.isUsedUp('192.0.2.1');
    });

    expect(used).toEqual([false, false, true]);
    expect(shares.isUsedUp('192.0.2.2')).toBe(false);
  });

  it('counts an IPv6 /64 as one network, and gives its /48 four shares', () => {
    const { shares } = sharesAt(0.51);
    const add = (from: number, to: number): void => {
      for (let index = from; index <= to; index += 1) shares.add(`2001:db8:7:${index}::1`, 0.09);
    };

    add(1, 4);
    expect(shares.isUsedUp('2001:db8:7:4:ffff::2')).toBe(false);
    add(4, 4);
    expect(shares.isUsedUp('2001:db8:7:4:ffff::2')).toBe(true);
    expect(shares.isUsedUp('2001:db8:7:5::1')).toBe(true);
    expect(shares.isUsedUp('2001:db8:8:5::1')).toBe(false);
  });

  it('forgets what a network added when the spool is half full again', () => {
    const { shares, fillTo } = sharesAt(0.6);
    shares.add('192.0.2.1', 0.2);

    fillTo(0.5);
    expect(shares.isUsedUp('192.0.2.1')).toBe(false);
    expect(shares.size).toBe(0);
    fillTo(0.6);
    expect(shares.isUsedUp('192.0.2.1')).toBe(false);
  });

  it('forgets the network that added longest ago, so that its memory is bounded', () => {
    const { shares } = sharesAt(0.6);
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) shares.add(address, 0.2);
    for (let index = 0; index < 49_999; index += 1)
      shares.add(`198.${index % 256}.${(index / 256) | 0}.1`, 0.2);

    expect(shares.size).toBe(50_000);
    expect([shares.isUsedUp('192.0.2.1'), shares.isUsedUp('192.0.2.2')]).toEqual([true, false]);
  });
});

describe('a tunnel whose upstream is down', () => {
  const MIB = 2 ** 20;
  let tunnel: TunnelServer;

  afterEach(() => tunnel.stop());

  /** Starts a tunnel behind a proxy. No sink delivers what is queued. */
  async function start(): Promise<void> {
    tunnel = await TunnelServer.start({
      environment: { ERRATA_TRUST_PROXY: '127.0.0.1' },
      spoolMaxBytes: 4 * MIB,
    });
  }

  const unique = (bytes: number): Buffer =>
    envelope({ dsn: UPSTREAM }, [{ type: 'event' }, randomBytes(bytes).toString('base64')]);

  async function flood(headers: Record<string, string>, body: () => Buffer): Promise<number> {
    let { status } = await tunnel.post(body(), headers);
    while (status === 200 && tunnel.spool.fill < 0.9) ({ status } = await tunnel.post(body(), headers));
    return status;
  }

  it('H24: answers 429 to the network that fills the spool, and 200 to all errors of another one', async () => {
    await start();
    const refused = await flood({ 'X-Forwarded-For': '203.0.113.7' }, () => unique(60 * 2 ** 10));
    const { fill } = tunnel.spool;
    const statuses: number[] = [];
    for (let sent = 0; sent < 20; sent += 1)
      statuses.push((await tunnel.post(unique(2_000), { 'X-Forwarded-For': '198.51.100.9' })).status);
    const answer = await tunnel.post(unique(100), { 'X-Forwarded-For': '203.0.113.7' });

    expect(refused).toBe(429);
    expect(fill).toBeGreaterThan(0.6);
    expect(fill).toBeLessThan(0.65);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answer.headers['retry-after']).toBe('15');
    expect(answer.headers['x-sentry-rate-limits']).not.toMatch(/error[;:]|feedback/);
  });

  it('counts the bytes on the disk, not those of a body that compresses well', async () => {
    await start();
    const from = { 'X-Forwarded-For': '203.0.113.7' };
    await flood({}, () => unique(60 * 2 ** 10));
    const statuses: number[] = [];
    for (let sent = 0; sent < 5; sent += 1)
      statuses.push(
        (
          await tunnel.post(
            unique(10)
              .toString()
              .padEnd(200 * 2 ** 10, ' '),
            from,
          )
        ).status,
      );

    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });

  it('H24: has no share for a trusted peer that forwards no address', async () => {
    await start();

    expect(await flood({}, () => unique(60 * 2 ** 10))).toBe(200);
  });
});
