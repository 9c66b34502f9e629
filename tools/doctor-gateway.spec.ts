import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConsoleServer, OPERATOR_TOKEN } from '../backend/src/console/console-server.fixture.ts';
import { openGateway } from '../backend/src/open/open-gateway.ts';
import { UNUSED_PORT } from '../e2e/fixtures/ports.ts';
import { type Ended, runTool } from './commands.fixture.ts';

/** The headers of a right configuration, in the order in which the doctor finds each missing one. */
const LINES = {
  'X-Code': '503',
  'X-Format': 'application/problem+json',
  'X-Original-URI': '/broken?a=1&errata-doctor=query',
  'X-Service-Name': 'shop',
  'X-Namespace': '',
  'X-Request-ID': '7F000001:BCDE_7F000001:94CB',
  'X-Errata-Digest': '',
};

let errata: ConsoleServer;
let open: Server[];

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a gateway that passes on all headers of its client but those that it sets. */
async function startGateway(lines: Readonly<Record<string, string>>, isTrusted = true): Promise<string> {
  const { options, projects, pageLines, spool } = errata.parts;
  const clients = { ...errata.parts.clients, isOperatorPeer: () => isTrusted };
  const pages = await listen(openGateway({ options, projects, pageLines, spool, clients }));
  const own = Object.fromEntries(Object.entries(lines).map(([name, value]) => [name.toLowerCase(), value]));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const page = await fetch(pages, { headers: { ...request.headers, ...own } as Record<string, string> });
    response.writeHead(503, Object.fromEntries(page.headers)).end(await page.text());
  };
  return listen((request, response) => void answer(request, response));
}

function without(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(LINES).filter(([name]) => !names.includes(name)));
}

function doctor(gateway: string, changes: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const environment = { ERRATA_URL: errata.url, ERRATA_CONSOLE_TOKEN: OPERATOR_TOKEN, ...changes };
  return runTool('doctor-gateway.ts', { GATEWAY: gateway, ...environment });
}

const failuresOf = ({ stdout }: Ended): readonly string[] => stdout.match(/(?<=^FAIL {2}).*/gm) ?? [];

beforeAll(async () => {
  errata = await ConsoleServer.start({ ERRATA_DEMO: 'on' });
});

afterAll(() => errata.close());

beforeEach(() => void (open = []));

afterEach(() => {
  for (const server of open) server.close();
});

describe('make doctor GATEWAY=<url>', () => {
  it('passes where the gateway sets each line', async () => {
    const ended = await doctor(`${await startGateway(LINES)}/broken?a=1`);

    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/^ok {4}503, digest \S{4}-\S{4}, reference \S+, service shop\n$/);
  });

  it.each([
    ['X-Code', /^Errata knows no status: set X-Code /],
    ['X-Format', /^the form is text\/plain.*: set X-Format /],
    ['X-Original-URI', /^the path is \/errata-doctor-forged: set X-Original-URI /],
    ['X-Service-Name', /^the service is errata-doctor-forged: set X-Service-Name /],
    ['X-Namespace', /^the service is errata-doctor-forged\/shop: set X-Service-Name .* X-Namespace /],
    ['X-Request-ID', /^the request id is the client's: set X-Request-ID /],
    ['X-Errata-Digest', /^the digest is the client's: set X-Errata-Digest /],
  ])('names %s where the gateway does not set it', async (name, line) => {
    const ended = await doctor(`${await startGateway(without(name))}/broken?a=1`);

    expect([ended.code, failuresOf(ended)]).toEqual([1, [expect.stringMatching(line)]]);
  });

  it('names the host as no service', async () => {
    const lines = { ...LINES, 'X-Service-Name': '' };

    const ended = await doctor(`${await startGateway(lines)}/broken?a=1`);

    expect(failuresOf(ended)).toEqual([expect.stringMatching(/^the service is 127.0.0.1: set /)]);
  });

  it('names ERRATA_TRUST_PROXY where Errata does not trust the gateway', async () => {
    const ended = await doctor(await startGateway(LINES, false));

    expect([ended.code, failuresOf(ended)]).toEqual([
      1,
      [expect.stringMatching(/^Errata does not trust the gateway: add its address to ERRATA_TRUST_PROXY/)],
    ]);
  });

  it.each([
    [503, /^the gateway answers 503 by itself: send its failures to ERRATA_GATEWAY_PORT /],
    [200, /^GATEWAY: expected a URL that fails, got status 200$/],
  ])('says that the gateway does not ask Errata, which answers %i itself', async (status, line) => {
    const ended = await doctor(await listen((_, response) => response.writeHead(status).end('of its own')));

    expect([ended.code, failuresOf(ended)]).toEqual([1, [expect.stringMatching(line)]]);
  });

  it('says so, too, where the gateway passes on the page of a server that has Errata itself', async () => {
    const ended = await doctor(`${errata.url}/demo/server-error`);

    expect([ended.code, failuresOf(ended)]).toEqual([
      1,
      [expect.stringMatching(/^the page is that of the server: /)],
    ]);
  });

  it.each([
    ['', {}, 'Set GATEWAY to a URL that fails behind the gateway.'],
    ['shop', {}, 'GATEWAY: expected a URL, got "shop"'],
    ['http://h', { ERRATA_CONSOLE_TOKEN: 'other' }, 'ERRATA_CONSOLE_TOKEN: http'],
    ['http://h', { ERRATA_URL: `http://127.0.0.1:${UNUSED_PORT}` }, 'ERRATA_URL: http'],
  ])('ends with one line for GATEWAY=%j and %j', async (gateway, changes, line) => {
    const { code, stdout, stderr } = await doctor(gateway, changes);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.startsWith(line) && stderr.split('\n').length === 2).toBe(true);
  });
});
