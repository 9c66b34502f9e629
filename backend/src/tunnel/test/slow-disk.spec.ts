import { envelope, EVENT_ID, UPSTREAM } from './envelopes.fixture.ts';
import { TunnelServer, until } from './tunnel-server.fixture.ts';

const KIB = 2 ** 10;

describe('a tunnel with a slow disk', () => {
  it('keeps the reservation of a body until the commit ends, although the client has its 503', async () => {
    const tunnel = await TunnelServer.start({ limits: { largeCommitTimeoutMs: 20 } });
    const body = envelope({ dsn: UPSTREAM, event_id: EVENT_ID }, [{ type: 'event' }, 'x'.repeat(300 * KIB)]);
    const disk = Promise.withResolvers<void>();
    const append = tunnel.spool.append.bind(tunnel.spool);
    tunnel.spool.append = (each) => disk.promise.then(() => append(each));

    const { status } = await tunnel.post(body);
    const reserved = await tunnel.reservedBytes();
    disk.resolve();
    await until(async () => (await tunnel.reservedBytes()) === 0);
    const queued = await tunnel.queued();
    await tunnel.stop();

    expect(status).toBe(503);
    expect(reserved).toBe(body.length);
    expect(queued).toHaveLength(1);
  });

  it('answers 200 to a larger envelope that a small one would not wait for', async () => {
    const tunnel = await TunnelServer.start({ limits: { commitTimeoutMs: 20 } });
    const sized = (bytes: number, id: string) =>
      envelope({ dsn: UPSTREAM, event_id: id }, [{ type: 'event' }, 'x'.repeat(bytes)]);
    const disk = Promise.withResolvers<void>();
    const append = tunnel.spool.append.bind(tunnel.spool);
    tunnel.spool.append = (each) => disk.promise.then(() => append(each));

    const large = tunnel.post(sized(65 * KIB, EVENT_ID));
    await until(async () => (await tunnel.reservedBytes()) > 65 * KIB);
    const small = await tunnel.post(sized(63 * KIB, EVENT_ID.replaceAll('4', '5')));
    disk.resolve();
    const answered = await large;
    await until(async () => (await tunnel.reservedBytes()) === 0);
    await tunnel.stop();

    expect([small.status, answered.status]).toEqual([503, 200]);
  });
});
