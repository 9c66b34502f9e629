import { tunnelHashPath } from '../envelope/dsn.ts';
import { envelope, EVENT_ID, project, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer, type Way } from './test/tunnel-server.fixture.ts';

const HASH_PATH = tunnelHashPath(project(UPSTREAM, true).dsn);
const WAYS = ['before Express', 'middleware', 'router'] as const;
const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{}']).toString('latin1');
const NO_DSN = envelope({ event_id: EVENT_ID }, [{ type: 'event' }, '{}']).toString('latin1');
const REPORT = '{"csp-report":{"violated-directive":"img-src","document-uri":"https://a.example"}}';
const KEY = new URL(UPSTREAM).username;

/** Returns the bytes of a request on a connection of its own. */
function bytesOf(start: string, headers: readonly string[] = [], body = ''): string {
  const all = ['Host: errata.example', 'Connection: close', `Content-Length: ${body.length}`, ...headers];
  return [`${start} HTTP/1.1`, ...all, '', body].join('\r\n');
}

const REQUESTS: readonly (readonly [name: string, request: string])[] = [
  ['an envelope', bytesOf('POST /tunnel', [], EVENT)],
  ['one of a page on another site', bytesOf('POST /tunnel', ['Origin: https://shop.example'], EVENT)],
  ['one on the path of its DSN', bytesOf(`POST ${HASH_PATH}/`, [], EVENT)],
  ['one of an SDK', bytesOf(`POST /api/42/envelope/?sentry_key=${KEY}`, [], NO_DSN)],
  ['an event without an envelope', bytesOf(`POST /api/42/store/?sentry_key=${KEY}`, [], '{"message":"a"}')],
  ['a browser report', bytesOf('POST /reports', ['Content-Type: application/csp-report'], REPORT)],
  ['no envelope', bytesOf('POST /tunnel', [], 'nonsense')],
  ['a DSN that is not allowed', bytesOf('POST /tunnel', [], EVENT.replace(KEY, 'f'.repeat(KEY.length)))],
  ['no body', bytesOf('POST /tunnel')],
  ['too large a body', bytesOf('POST /tunnel', [], EVENT + 'x'.repeat(65 * 1024))],
  [
    'a preflight',
    bytesOf('OPTIONS /tunnel', ['Origin: https://shop.example', 'Access-Control-Request-Method: POST']),
  ],
  ['another method', bytesOf('DELETE /tunnel')],
];

async function answersOf(way: Way, requests: readonly string[]): Promise<readonly string[]> {
  const environment = { ERRATA_ENVELOPE_MAX_BYTES: '64KiB', ERRATA_TUNNEL_ORIGINS: 'https://shop.example' };
  const tunnel = await TunnelServer.start({ way, environment });
  const answers: string[] = [];
  for (const request of requests) answers.push(await tunnel.raw(request));
  await tunnel.stop();
  return answers.map((answer) => answer.replace(/^date: .*\r\n/im, '').replaceAll(/[0-9a-f]{32}/g, '<id>'));
}

describe('TunnelController', () => {
  it.each([
    ['/tunnel', EVENT],
    [HASH_PATH, EVENT],
    ['/api/42/envelope/', EVENT],
    [`/api/42/store/?sentry_key=${KEY}`, '{"message":"a"}'],
    ['/reports?project=42', REPORT],
  ])('accepts %s by the router of Nest alone', async (path, body) => {
    const tunnel = await TunnelServer.start({ way: 'router' });

    const answer = await tunnel.raw(bytesOf(`POST ${path}`, ['Content-Type: application/csp-report'], body));

    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(await tunnel.queued()).toHaveLength(1);
    await tunnel.stop();
  });

  it('answers alike to the byte before Express, as a middleware, and by the router', async () => {
    const requests = REQUESTS.map(([, request]) => request);

    const [first, ...others] = await Promise.all(WAYS.map((way) => answersOf(way, requests)));

    expect(first?.map((answer) => answer.slice(9, 12))).toEqual(
      [200, 200, 200, 200, 200, 200, 400, 403, 400, 413, 204, 405].map(String),
    );
    for (const answers of others) expect(answers).toEqual(first);
  });

  it('leaves a page at /reports to the application', async () => {
    const tunnel = await TunnelServer.start({ way: 'router' });

    const answer = await tunnel.raw(bytesOf('GET /reports'));

    expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*Cannot GET \/reports/);
    await tunnel.stop();
  });

  it('rejects at once a body that a parser of the application has read', async () => {
    const tunnel = await TunnelServer.start({ way: 'router' });

    const answer = await tunnel.raw(bytesOf('POST /tunnel', ['Content-Type: application/json'], '{"a":1}'));

    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*has read the body/);
    await tunnel.stop();
  });
});
