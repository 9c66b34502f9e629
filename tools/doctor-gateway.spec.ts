import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { ConsoleServer, OPERATOR_TOKEN } from '../backend/src/console/console-server.fixture.ts';
import { SERVER_ERROR_TEXT } from '../backend/src/contract/texts.ts';
import { openGateway } from '../backend/src/open/open-gateway.ts';
import { UNUSED_PORT } from '../e2e/fixtures/ports.ts';
import { type Ended, runTool } from './commands.fixture.ts';

/** A path whose secrets are not in the event: `code=` is removed for gateways only. */
const PATH = '/broken?token=s3cret&code=4%2F0AbC';
/** The headers of a right configuration; empty: removed. */
const LINES = {
  'X-Code': '503',
  'X-Format': 'application/problem+json',
  'X-Original-URI': `${PATH}&errata-doctor=query`,
  'X-Original-Method': 'GET',
  'X-Service-Name': 'shop',
  'X-Request-ID': '7F000001:BCDE_7F000001:94CB',
};
const REMOVED = `X-Namespace X-Ingress-Name X-Errata-Upstream X-Errata-Cause X-Errata-Traceparent CF-Ray
  X-Amzn-Trace-Id Retry-After X-Errata-Digest`.split(/\s+/);

let errata: ConsoleServer;
const open: Server[] = [];

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a gateway that passes on all headers of its client but those that it sets. @param changes null: not set. */
async function startGateway(changes: Readonly<Record<string, string | null>> = {}, isTrusted = true) {
  const { options, projects, pageLines, spool } = errata.parts;
  const clients = { ...errata.parts.clients, isOperatorPeer: () => isTrusted };
  const pages = await listen(openGateway({ options, projects, pageLines, spool, clients }));
  const lines = { ...Object.fromEntries(REMOVED.map((name) => [name, ''])), ...LINES, ...changes };
  const own = Object.entries(lines).flatMap(([name, value]) =>
    value === null ? [] : [[name.toLowerCase(), value]],
  );
  const answer = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const headers = { ...request.headers, ...Object.fromEntries(own) } as Record<string, string>;
    const page = await fetch(pages, { headers });
    response.writeHead(503, Object.fromEntries(page.headers)).end(await page.text());
  };
  return (await listen((request, response) => void answer(request, response))) + PATH;
}

function doctor(gateway: string, changes: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const environment = { ERRATA_URL: errata.url, ERRATA_CONSOLE_TOKEN: OPERATOR_TOKEN, ...changes };
  return runTool('doctor-gateway.ts', { GATEWAY: gateway, ...environment });
}

/** Returns the exit code and the lines of the problems. */
async function ending(gateway: string): Promise<readonly unknown[]> {
  const { code, stdout } = await doctor(gateway);
  return [code, ...(stdout.match(/(?<=^FAIL {2}).*/gm) ?? [])];
}

function* endless(): Generator<string> {
  for (;;) yield SERVER_ERROR_TEXT;
}

beforeAll(async () => {
  errata = await ConsoleServer.start({ ERRATA_DEMO: 'on' });
});

afterAll(() => errata.close());

afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

describe('make doctor GATEWAY=<url>', () => {
  it.each([
    ['', /^ok {4}503, digest \S{4}-\S{4}, reference \S+, service shop\n$/],
    ['OWN-1', /^ok {4}503, digest OWN-1, given by the server, .*\n$/],
  ])('passes where the gateway sets each line, and the server has the digest %j', async (digest, line) => {
    const { code, stdout, stderr } = await doctor(await startGateway({ 'X-Errata-Digest': digest }));

    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(line)]);
  });

  it.each<readonly [Readonly<Record<string, string | null>>, boolean, RegExp]>([
    [{ 'X-Code': null }, true, /^Errata knows no status: set X-Code .* not ERRATA_GATEWAY_PORT$/],
    [{ 'X-Format': null }, true, /^the form is text\/plain.*: set X-Format /],
    [{ 'X-Original-URI': '/' }, true, /^the path is \/\?.*: set X-Original-URI /],
    [{ 'X-Service-Name': '' }, true, /^the service is 127.0.0.1: set X-Service-Name/],
    ...[...REMOVED, 'X-Original-URI', 'X-Original-Method', 'X-Service-Name', 'X-Request-ID'].map(
      (name) => [{ [name]: null }, true, RegExp(`^${name} is the client's: `)] as const,
    ),
    [{}, false, /^Errata does not trust the gateway: add its address to ERRATA_TRUST_PROXY/],
  ])('names the line that is missing with %j, trusted: %j', async (changes, isTrusted, line) => {
    const gateway = await startGateway(changes, isTrusted);

    expect(await ending(gateway)).toEqual([1, expect.stringMatching(line)]);
  });

  it.each([
    [503, 'of its own', /^the gateway answers 503 by itself: send its failures to ERRATA_GATEWAY_PORT /],
    [502, SERVER_ERROR_TEXT, /^the gateway shows the sentence by itself: Errata does not answer it /],
    [502, endless(), /^the gateway shows the sentence by itself: /],
    [200, '', /^GATEWAY: expected a URL that fails, got status 200$/],
  ])('says that the gateway does not ask Errata, which answers %i with %j', async (status, text, line) => {
    const gateway = await listen((_, response) => Readable.from(text).pipe(response.writeHead(status)));

    expect(await ending(gateway)).toEqual([1, expect.stringMatching(line)]);
  });

  it('says so, too, where the gateway passes on the page of a server that has Errata itself', async () => {
    const ended = await ending(`${errata.url}/demo/server-error`);

    expect(ended).toEqual([1, expect.stringMatching(/^the page is that of the server: /)]);
  });

  it.each([
    ['', {}, 'Set GATEWAY to a URL that fails behind the gateway.'],
    ['shop', {}, 'GATEWAY: expected a URL, got "shop"'],
    ['ftp://h', {}, 'GATEWAY: expected http:// or https://'],
    ['http://h', { ERRATA_CONSOLE_TOKEN: 'other' }, 'ERRATA_CONSOLE_TOKEN: http'],
    ['http://h', { ERRATA_URL: `http://127.0.0.1:${UNUSED_PORT}` }, 'ERRATA_URL: http'],
  ])('ends with one line for GATEWAY=%j and %j', async (gateway, changes, line) => {
    const { code, stdout, stderr } = await doctor(gateway, changes);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.startsWith(line) && stderr.split('\n').length === 2).toBe(true);
  });
});
