import { randomBytes } from 'node:crypto';
import { SpoolShare } from './spool-share.ts';
import { envelope, OWN, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer } from './test/tunnel-server.fixture.ts';

describe('SpoolShare', () => {
  let fill: number;
  let flowing: readonly string[];
  let share: SpoolShare;

  beforeEach(() => {
    fill = 0.51;
    flowing = [];
    share = new SpoolShare(
      () => fill,
      (project) => flowing.includes(project),
    );
  });

  it('lets a network add a tenth above half of the spool, and no other pays for it', () => {
    const used = [0.05, 0.05, 0.01].map((part) => {
      share.add('192.0.2.1', UPSTREAM, part);
      return share.isUsedUp('192.0.2.1');
    });

    expect(used).toEqual([false, false, true]);
    expect(share.isUsedUp('192.0.2.2')).toBe(false);
  });

  it('counts nothing that is delivered at once, while another project waits', () => {
    flowing = [OWN];

    for (const part of [0.05, 0.05, 0.05]) share.add('192.0.2.1', OWN, part);

    expect(share.isUsedUp('192.0.2.1')).toBe(false);
  });

  it('counts an IPv6 /64 as one network, and gives its /48 four shares', () => {
    for (const network of [1, 2, 3, 4]) share.add(`2001:db8:7:${network}::1`, UPSTREAM, 0.09);
    expect(share.isUsedUp('2001:db8:7:4:ffff::2')).toBe(false);

    share.add('2001:db8:7:4:ffff::2', UPSTREAM, 0.09);

    const addresses = ['2001:db8:7:4::1', '2001:db8:7:5::1', '2001:db8:8:5::1'];
    expect(addresses.map((address) => share.isUsedUp(address))).toEqual([true, true, false]);
  });

  it('counts nothing up to half, and forgets what it has counted', () => {
    share.add('192.0.2.1', UPSTREAM, 0.2);

    fill = 0.5;
    share.add('192.0.2.2', UPSTREAM, 0.2);
    expect(share.isUsedUp('192.0.2.1')).toBe(false);
    fill = 0.51;
    expect([share.isUsedUp('192.0.2.1'), share.isUsedUp('192.0.2.2')]).toEqual([false, false]);
  });
});

describe('a tunnel whose upstream is down', () => {
  const FLOODER = { 'X-Forwarded-For': '203.0.113.7' };
  let tunnel: TunnelServer;

  beforeEach(async () => {
    // No sink of it delivers what is queued.
    tunnel = await TunnelServer.start({
      environment: { ERRATA_TRUST_PROXY: '127.0.0.1' },
      spoolMaxBytes: 4 * 2 ** 20,
    });
  });

  afterEach(() => tunnel.stop());

  const unique = (bytes: number): Buffer =>
    envelope({ dsn: UPSTREAM }, [{ type: 'event' }, randomBytes(bytes).toString('base64')]);

  /** Sends errors of 80 KiB until one is refused or the spool is almost full, and returns the last status. */
  async function flood(headers: Record<string, string>): Promise<number> {
    let status = 200;
    while (status === 200 && tunnel.spool.fill < 0.9)
      ({ status } = await tunnel.post(unique(60 * 2 ** 10), headers));
    return status;
  }

  it('H24: answers 429 to the network that fills the spool, and 200 to all errors of another one', async () => {
    const refused = await flood(FLOODER);
    const { fill } = tunnel.spool;
    const statuses: number[] = [];
    for (let sent = 0; sent < 20; sent += 1)
      statuses.push((await tunnel.post(unique(2_000), { 'X-Forwarded-For': '198.51.100.9' })).status);
    const { headers } = await tunnel.post(unique(100), FLOODER);

    expect(refused).toBe(429);
    expect(Math.floor(fill * 20)).toBe(12);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    expect(headers['retry-after']).toBe('15');
    expect(headers['x-sentry-rate-limits']).not.toMatch(/error[;:]|feedback/);
  });

  it('H24: has one share for all clients of a trusted proxy that forwards no address', async () => {
    expect(await flood({})).toBe(429);
  });

  it('counts the bytes on the disk, not those of a body that compresses well', async () => {
    for (let host = 1; tunnel.spool.fill < 0.9; host += 1)
      await flood({ 'X-Forwarded-For': `192.0.2.${host}` });
    const statuses: number[] = [];
    for (let sent = 0; sent < 5; sent += 1)
      statuses.push(
        (
          await tunnel.post(
            unique(10)
              .toString()
              .padEnd(200 * 2 ** 10),
            FLOODER,
          )
        ).status,
      );

    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });
});
