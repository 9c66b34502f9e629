import type { EnvelopeSource } from '../sink/queued-envelope.ts';
import { type AllowedProject, AllowList } from './allow-list.ts';
import { envelope, project } from './test/envelopes.fixture.ts';
import { TunnelServer } from './test/tunnel-server.fixture.ts';

const PUBLIC = '0123456789abcdef0123456789abcdef';
const SERVER = '11111111111111111111111111111111';
const PAGE = 'https://shop.example';

/** The project, or this host, with a key; the second form is that of an SDK whose DSN names Errata. */
const upstream = (key: string) => `https://${key}@o1.ingest.example/42`;
const host = (key: string) => `http://${key}@127.0.0.1:3000/42`;
const UPSTREAM: AllowedProject = { ...project(upstream(PUBLIC), true), serverKey: SERVER };

const query = (key: string) => ({ path: `/api/42/envelope/?sentry_key=${key}` });
const auth = (key: string) => ({
  path: '/api/42/envelope/',
  headers: { 'X-Sentry-Auth': `Sentry sentry_key=${key}` },
});
const store = (key: string) => ({ ...auth(key), path: '/api/42/store/' });

interface Sent {
  readonly dsn?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const from = (origin: string, sent: Sent): Sent => ({
  ...sent,
  headers: { ...sent.headers, Origin: origin },
});

describe('the sender of an envelope', () => {
  let tunnel: TunnelServer;

  beforeEach(async () => {
    const environment = { ERRATA_TUNNEL_ORIGINS: `${PAGE}, null` };
    tunnel = await TunnelServer.start({ projects: [UPSTREAM], environment });
  });

  afterEach(() => tunnel.stop());

  it.each<readonly [string, Sent, EnvelopeSource]>([
    ['the DSN', { dsn: upstream(PUBLIC) }, 'tunnel'],
    ['the query', query(PUBLIC), 'tunnel'],
    ['the header', auth(PUBLIC), 'tunnel'],
    ['the store endpoint', store(PUBLIC), 'tunnel'],
    ['DSN and header', { ...auth(PUBLIC), dsn: host(PUBLIC) }, 'tunnel'],
    ['the DSN, from a page', from(PAGE, { dsn: upstream(PUBLIC) }), 'tunnel'],
    ['the DSN, twice', { dsn: upstream(SERVER) }, 'server'],
    ['the query', query(SERVER), 'server'],
    ['the header', auth(SERVER), 'server'],
    ['the store endpoint', store(SERVER), 'server'],
    ['DSN and header', { ...auth(SERVER), dsn: host(SERVER) }, 'server'],
    ['DSN and query', { ...query(SERVER), dsn: upstream(SERVER) }, 'server'],
    ['a DSN of this host alone on the path', { path: '/api/42/envelope/', dsn: host(SERVER) }, 'server'],
    ['the DSN, from a page', from(PAGE, { dsn: upstream(SERVER) }), 'tunnel'],
    ['the query, from a page', from(PAGE, query(SERVER)), 'tunnel'],
    ['the header, from a file', from('null', auth(SERVER)), 'tunnel'],
    ['the store endpoint, from a page', from(PAGE, store(SERVER)), 'tunnel'],
  ])('A12: is known by the key in %s (%#)', async (_, { dsn, ...request }, source) => {
    const body = request.path?.endsWith('/store/')
      ? Buffer.from('{"message":"one"}')
      : envelope(dsn === undefined ? {} : { dsn }, [{ type: 'event' }, '{}']);

    const { status } = await tunnel.send({ ...request, body });

    expect([status, (await tunnel.queued()).map((one) => one.source)]).toEqual([200, [source]]);
  });

  it.each<readonly [string, Sent]>([
    ['a public DSN and the server key', { ...auth(SERVER), dsn: host(PUBLIC) }],
    ['a server DSN and the public key', { ...query(PUBLIC), dsn: host(SERVER) }],
    ['two keys', { ...auth(SERVER), ...query(PUBLIC) }],
    ['the server key of no project', auth('2'.repeat(32))],
  ])('is refused with %s', async (_, { dsn, ...request }) => {
    const body = envelope(dsn === undefined ? {} : { dsn }, [{ type: 'event' }, '{}']);

    const { status } = await tunnel.send({ ...request, body });

    expect([status, await tunnel.queued()]).toEqual([403, []]);
  });

  it('is in the log, if a page has the server key', async () => {
    await tunnel.send({ ...from(PAGE, query(SERVER)), body: envelope({}, [{ type: 'event' }, '{}']) });
    await tunnel.send({ ...query(SERVER), body: envelope({}, [{ type: 'event' }, '{"n":1}']) });

    expect(tunnel.warnings).toEqual([[{ origin: PAGE }, 'server_key_in_page']]);
  });
});

describe('the warning of a server key in a page', () => {
  it('is logged once an hour', () => {
    let nowMs = 0;
    const lines: unknown[] = [];
    const log = { warn: (...line: readonly unknown[]) => lines.push(line) };
    const list = new AllowList([UPSTREAM], log, () => nowMs);
    const authenticated = list.authenticate(upstream(SERVER), { projectId: null, keys: [] });
    if (typeof authenticated === 'string') throw new Error(authenticated);

    for (nowMs of [0, 1, 3_599_999, 3_600_000, 7_199_999]) list.sourceOf(authenticated, PAGE);

    expect(lines).toHaveLength(2);
  });
});
