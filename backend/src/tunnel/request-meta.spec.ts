import { gzipSync } from 'node:zlib';
import { envelope, EVENT_ID, project, UPSTREAM } from './test/envelopes.fixture.ts';
import { bytesOf, TunnelServer } from './test/tunnel-server.fixture.ts';

const KEY = 'abcdef0123456789abcdef0123456789';
const OTHER_KEY = 'ffffffffffffffffffffffffffffffff';
const SERVER_KEY = '11111111111111111111111111111111';
const SECOND = 'https://ffffffffffffffffffffffffffffffff@o1.ingest.example/43';
const AUTH = `Sentry sentry_version=7, sentry_client=raven-test/1.0, sentry_key=${KEY}`;
const ITEM = [{ type: 'event' }, '{}'] as const;
const WITHOUT_DSN = envelope({ event_id: EVENT_ID }, ITEM);
const QUERY = `?sentry_version=7&sentry_key=${KEY}&sentry_client=sentry.javascript.node%2F11.0.0`;

describe('authentication', () => {
  let tunnel: TunnelServer;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({
      projects: [project(UPSTREAM, true), { ...project(SECOND, true), serverKey: SERVER_KEY }],
    });
  });

  afterEach(() => tunnel.stop());

  const send = (path: string, body: Buffer, headers: Record<string, string> = {}) =>
    tunnel.send({ path, body, headers });

  it('A1: accepts the DSN of the envelope header', async () => {
    const answer = await send('/tunnel', envelope({ dsn: UPSTREAM, event_id: EVENT_ID }, ITEM));

    expect(answer.status).toBe(200);
    expect((await tunnel.queued())[0]?.project).toBe(UPSTREAM);
  });

  it.each(['/api/42/envelope/', '/api/42/envelope'])('A2: accepts ?sentry_key on %s', async (path) => {
    const answer = await send(path + QUERY, WITHOUT_DSN);

    expect(answer.status).toBe(200);
    expect((await tunnel.queued())[0]?.project).toBe(UPSTREAM);
  });

  it.each([
    AUTH,
    `Sentry sentry_key=${KEY}`,
    `sentry sentry_key=${KEY},sentry_version=7`,
    `Sentry sentry_timestamp=1, sentry_key=${KEY}, sentry_secret=${OTHER_KEY}`,
  ])('A2: accepts X-Sentry-Auth: %s', async (auth) => {
    const answer = await send('/api/42/envelope/', WITHOUT_DSN, { 'X-Sentry-Auth': auth });

    expect(answer.status).toBe(200);
    expect((await tunnel.queued()).map(bytesOf)).toEqual([WITHOUT_DSN]);
  });

  it.each([
    ['/api/42/envelope/', `DSN ${UPSTREAM}`, 200],
    ['/tunnel', `dsn ${UPSTREAM.replace('@', ':secret@')}`, 200],
    ['/tunnel', UPSTREAM.replace(/@.*42/, '@errata.example/42').replace(/^/, 'DSN '), 200],
    ['/tunnel', `DSN ${UPSTREAM.replace('42', '43')}`, 403],
    ['/api/43/envelope/', `DSN ${UPSTREAM}`, 403],
    ['/tunnel', 'DSN nonsense', 403],
    ['/tunnel', `Bearer ${UPSTREAM}`, 403],
  ])('A2: answers on %s to Authorization: %s with %i', async (path, authorization, status) => {
    expect((await send(path, WITHOUT_DSN, { authorization })).status).toBe(status);
  });

  it('A2: accepts a key without a project if only one project has it', async () => {
    expect((await send('/tunnel', WITHOUT_DSN, { 'X-Sentry-Auth': AUTH })).status).toBe(200);
  });

  it('A3: accepts several that agree', async () => {
    const body = envelope({ dsn: UPSTREAM, event_id: EVENT_ID }, ITEM);

    expect((await send(`/api/42/envelope/${QUERY}`, body, { 'X-Sentry-Auth': AUTH })).status).toBe(200);
  });

  it.each([
    ['query and header', `/api/42/envelope/?sentry_key=${OTHER_KEY}`, WITHOUT_DSN, AUTH],
    ['two keys in the query', `/api/42/envelope/?sentry_key=${KEY}&sentry_key=${OTHER_KEY}`, WITHOUT_DSN, ''],
    ['two keys in the header', '/api/42/envelope/', WITHOUT_DSN, `${AUTH}, sentry_key=${OTHER_KEY}`],
    ['DSN and key', '/tunnel', envelope({ dsn: UPSTREAM }, ITEM), `Sentry sentry_key=${OTHER_KEY}`],
    ['DSN and path', `/api/43/envelope/`, envelope({ dsn: UPSTREAM }, ITEM), ''],
    ['path and key', `/api/43/envelope/`, WITHOUT_DSN, AUTH],
  ])('A3: rejects %s that disagree with 403', async (_, path, body, auth) => {
    const answer = await send(path, body, auth === '' ? {} : { 'X-Sentry-Auth': auth });

    expect(answer.status).toBe(403);
    expect(await tunnel.queued()).toEqual([]);
  });

  it.each(['/tunnel', '/api/42/envelope/', '/api/42/store/'])(
    'A3, A10: rejects a request without credentials on %s with 403',
    async (path) => {
      const answer = await send(path, WITHOUT_DSN);

      expect(answer.status).toBe(403);
      expect(answer.body.detail).toBe('no dsn in the envelope header, and no other authentication');
    },
  );

  it.each([
    `Sentry sentry_version=7, sentry_key=${KEY}`,
    `sentry sentry_key=${KEY},sentry_client=x/1`,
    `SENTRY  SENTRY_KEY = ${KEY}`,
  ])('A2: accepts Authorization: %s', async (authorization) => {
    expect((await send('/api/42/envelope/', WITHOUT_DSN, { Authorization: authorization })).status).toBe(200);
  });

  it('A3: rejects an Authorization that disagrees with X-Sentry-Auth', async () => {
    const headers = {
      Authorization: `Sentry sentry_key=${OTHER_KEY}`,
      'X-Sentry-Auth': `Sentry sentry_key=${KEY}`,
    };

    expect((await send('/api/42/envelope/', WITHOUT_DSN, headers)).status).toBe(403);
  });

  it.each([
    ['the query', QUERY, {}, 'sentry.javascript.node/11.0.0'],
    ['X-Sentry-Auth', '', { 'X-Sentry-Auth': AUTH }, 'raven-test/1.0'],
    ['Authorization', '', { Authorization: AUTH }, 'raven-test/1.0'],
    ['none of them', `?sentry_key=${KEY}`, {}, null],
    ['an empty one', `?sentry_key=${KEY}&sentry_client=`, {}, null],
    ['one with a line break', `?sentry_key=${KEY}&sentry_client=a%0D%0Ab`, {}, 'a__b'],
  ])('H17: reads the name of the SDK in %s', async (_, query, headers, sdk) => {
    await send(`/api/42/envelope/${query}`, WITHOUT_DSN, headers);

    expect((await tunnel.queued()).map(({ sender }) => sender.sdk)).toEqual([sdk]);
  });

  it('H17: prefers the SDK of the envelope header', async () => {
    const sdk = { name: 'sentry.ruby', version: '5.3.0' };

    await send(`/api/42/envelope/${QUERY}`, envelope({ event_id: EVENT_ID, sdk }, ITEM));

    expect((await tunnel.queued()).map(({ sender }) => sender.sdk)).toEqual(['sentry.ruby/5.3.0']);
  });

  it.each([`Bearer sentry_key=${KEY}`, `Sentryx sentry_key=${KEY}`, `sentry_key=${KEY}`])(
    'A5: does not read Authorization: %s',
    async (authorization) => {
      expect((await send('/api/42/envelope/', WITHOUT_DSN, { Authorization: authorization })).status).toBe(
        403,
      );
    },
  );

  it('A5: ignores the Authorization of the application', async () => {
    const headers = { Authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}` };

    expect((await send('/api/42/envelope/', WITHOUT_DSN, headers)).status).toBe(403);
    expect((await send('/tunnel', envelope({ dsn: UPSTREAM }, ITEM), headers)).status).toBe(200);
  });

  it.each([
    'https://abcdef0123456789abcdef0123456789@evil.example/42',
    'https://abcdef0123456789abcdef0123456789@o1.ingest.example/44',
    'http://abcdef0123456789abcdef0123456789@o1.ingest.example/42',
    'https://abcdef0123456789abcdef0123456789@o1.ingest.example:8443/42',
    'https://abcdef0123456789abcdef0123456789@o1.ingest.example/a/42',
    'https://abcdef0123456789abcdef0123456789@o1.ingest.example/42/',
    'https://abcdef0123456789abcdef0123456789@169.254.169.254/42',
    'https://abcdef0123456789abcdef0123456789@[::1]/42',
  ])('A6: rejects %s with 403', async (dsn) => {
    const answer = await send('/tunnel', envelope({ dsn }, ITEM));

    expect(answer.status).toBe(403);
    expect(await tunnel.queued()).toEqual([]);
  });

  it('A6, A7: recognises a DSN in capitals, with its default port and its secret', async () => {
    const dsn = `HTTPS://${KEY}:${OTHER_KEY}@O1.Ingest.Example:443/42`;

    expect((await send('/tunnel', envelope({ dsn, event_id: EVENT_ID }, ITEM))).status).toBe(200);
    expect((await tunnel.queued())[0]?.project).toBe(UPSTREAM);
  });

  it('A8: rejects the key of another project with 403', async () => {
    const body = envelope({ dsn: UPSTREAM.replace(KEY, OTHER_KEY) }, ITEM);

    expect((await send('/tunnel', body)).status).toBe(403);
    expect((await send(`/api/42/envelope/?sentry_key=${OTHER_KEY}`, WITHOUT_DSN)).status).toBe(403);
  });

  it('A9: replaces a DSN that names this host by the DSN of the upstream, and nothing else', async () => {
    const rest = { event_id: EVENT_ID, sdk: { name: 'sentry.ruby', version: '5.3.0' } };
    const body = envelope({ dsn: `http://${KEY}@127.0.0.1:3000/42`, ...rest }, ITEM);

    const answer = await send('/api/42/envelope/', body, { 'X-Sentry-Auth': AUTH });

    expect(answer.status).toBe(200);
    expect((await tunnel.queued()).map(bytesOf)).toEqual([envelope({ dsn: UPSTREAM, ...rest }, ITEM)]);
  });

  it('A9: keeps a DSN that is the DSN of the upstream in another spelling', async () => {
    const body = envelope({ dsn: UPSTREAM.replace('@o1', '@O1'), event_id: EVENT_ID }, ITEM);

    await send(`/api/42/envelope/${QUERY}`, body);

    expect((await tunnel.queued()).map(bytesOf)).toEqual([body]);
  });

  it('A12: accepts the server key in place of the public key, and replaces it before the upstream sees it', async () => {
    const rest = { event_id: EVENT_ID, sdk: { name: 'sentry.python', version: '2.0.0' } };
    const auth = { 'X-Sentry-Auth': `Sentry sentry_key=${SERVER_KEY}` };
    const ofHost = envelope({ dsn: `http://${SERVER_KEY}@127.0.0.1:3000/43`, ...rest }, ITEM);
    const ofUpstream = envelope({ dsn: SECOND.replace(OTHER_KEY, SERVER_KEY), ...rest }, [
      { type: 'event' },
      '{"a":1}',
    ]);

    const answers = [
      await send('/api/43/envelope/', ofHost, auth),
      await send('/tunnel', ofUpstream),
      await send('/api/43/store/', Buffer.from('{"message":"one"}'), auth),
    ];

    const queued = await tunnel.queued();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(queued.map(({ project: found }) => found)).toEqual([SECOND, SECOND, SECOND]);
    expect(queued.map(bytesOf).filter((bytes) => bytes.includes(SERVER_KEY))).toEqual([]);
  });

  it('A12: rejects the server key of another project with 403', async () => {
    const body = envelope({ dsn: `http://${SERVER_KEY}@127.0.0.1:3000/42` }, ITEM);

    expect((await send('/api/42/envelope/', body)).status).toBe(403);
    expect((await send('/tunnel', envelope({ dsn: UPSTREAM.replace(KEY, SERVER_KEY) }, ITEM))).status).toBe(
      403,
    );
    expect((await send(`/api/42/envelope/?sentry_key=${SERVER_KEY}`, WITHOUT_DSN)).status).toBe(403);
  });

  it.each([
    ['an empty one', { dsn: '' }],
    ['a number', { dsn: 42 }],
    ['an object', { dsn: {} }],
    ['a text that is no DSN', { dsn: 'o1.ingest.example' }],
  ])('A10: rejects a DSN that is %s with 400', async (_, header) => {
    expect((await send('/tunnel', envelope(header, ITEM))).status).toBe(400);
    expect((await send(`/api/42/envelope/${QUERY}`, envelope(header, ITEM))).status).toBe(400);
  });

  it('E17: keeps a copy of a body without a readable header if the request names its project', async () => {
    const answer = await send(`/api/42/envelope/${QUERY}`, Buffer.from('no header'));

    expect(answer.status).toBe(400);
    expect(await tunnel.malformed()).toMatchObject([{ project: UPSTREAM, body: 'no header' }]);
  });

  it.each(['/api/42/nothing/', '/api/x/envelope/', '/api/envelope/', '/tunnel/42', '/tunnelx'])(
    'serves nothing at %s',
    async (path) => {
      const { port } = tunnel;

      expect((await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' })).status).toBe(404);
    },
  );
});

describe('a key that two hosts share', () => {
  it('A6: identifies a project only in a whole DSN', async () => {
    const twin = UPSTREAM.replace('o1.', 'o2.');
    const tunnel = await TunnelServer.start({ projects: [project(UPSTREAM, true), project(twin, true)] });

    const byKey = await tunnel.send({ path: `/api/42/envelope/${QUERY}`, body: WITHOUT_DSN });
    const byDsn = await tunnel.send({
      path: '/tunnel',
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(envelope({ dsn: twin, event_id: EVENT_ID }, ITEM)),
    });

    expect([byKey.status, byDsn.status]).toEqual([403, 200]);
    expect((await tunnel.queued()).map((row) => row.project)).toEqual([twin]);
    await tunnel.stop();
  });
});
