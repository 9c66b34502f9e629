import { envelope, UPSTREAM } from './envelopes.fixture.ts';
import { TunnelServer } from './tunnel-server.fixture.ts';

describe('a tunnel whose 2,000 users are behind one address', () => {
  let tunnel: TunnelServer;
  let nowMs: number;

  beforeEach(async () => {
    nowMs = 0;
    tunnel = await TunnelServer.start({
      environment: { ERRATA_TRUST_PROXY: '127.0.0.1' },
      limits: { nowMs: () => nowMs },
    });
  });

  afterEach(() => tunnel.stop());

  /** Sends errors at the same moment, and returns how many got each status. */
  async function send(count: number): Promise<Readonly<Record<number, number>>> {
    const statuses: Record<number, number> = {};
    // In waves of connections, as each needs two files of this process.
    for (let left = count; left > 0; left -= 200) {
      const wave = Array.from({ length: Math.min(left, 200) }, (_, index) =>
        tunnel.post(
          envelope({ dsn: UPSTREAM }, [{ type: 'event' }, `{"message":"${nowMs} ${left - index}"}`]),
          { 'X-Forwarded-For': '203.0.113.7' },
        ),
      );
      for (const { status } of await Promise.all(wave)) statuses[status] = (statuses[status] ?? 0) + 1;
    }
    return statuses;
  }

  it('H20: answers 200 to 200 errors a minute', async () => {
    const minutes: unknown[] = [];
    for (; nowMs < 5 * 60_000; nowMs += 60_000) minutes.push(await send(200));

    expect(minutes).toEqual(Array.from({ length: 5 }, () => ({ 200: 200 })));
  });

  it('H20: keeps the errors of a crash that hits all users at once', async () => {
    expect(await send(2_000)).toEqual({ 200: 2_000 });
    expect(await tunnel.queued()).toHaveLength(2_000);
  });
});
