import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type { DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import type { IssueList } from '@errata/backend/contract/issues-api.ts';
import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { expect } from '@playwright/test';
import { ask } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { lastingPort, listenOnLastingPort } from './fixtures/ports.ts';
import { documented, hasProxy, Proxy } from './fixtures/proxies.ts';
import { findPythonSdk } from './fixtures/python-sdk.ts';
import { test } from './fixtures/test.ts';

const SENTENCE =
  'Application error: a server-side exception has occurred (see the server logs for more information).';
/** Longer than a busy machine takes for a page; the documents have shorter times, and longer ones for slow servers. */
const TIMEOUT = '5s';

/** Starts a gateway whose lines in docs/gateway.md were tried, with what a test changes in them. */
function startGateway(name: 'nginx' | 'caddy', shop: number, errata: number): Promise<Proxy> {
  const proxy = new Proxy();
  const values = {
    '10.0.0.7:8080': `127.0.0.1:${shop}`,
    '127.0.0.1:3080': `127.0.0.1:${errata}`,
    ' 30s': ` ${TIMEOUT}`,
    ' 1s': ` ${TIMEOUT}`,
    ' 250ms': ' 60s',
  };
  if (name === 'nginx') {
    const listen = { 'listen 80': `listen 127.0.0.1:${proxy.port}` };
    return proxy.startNginx(documented('gateway.md', name, { ...values, ...listen }));
  }
  const sites = {
    'http://shop.example': `http://:${proxy.port}`,
    ':3486': `:${lastingPort()}`,
    ' 2s': ' 60s',
    // Caddy's own limit for a connection is 3 s; where a busy machine reaches it, `/slow` is a 502.
    'keepalive off': 'keepalive off\n\t\t\tdial_timeout 60s',
  };
  return proxy.startCaddy(documented('gateway.md', 'caddyfile', { ...values, ...sites }));
}

/** No file may have these. */
const SECRETS = { Cookie: 'sid=s3cret-cookie', Authorization: 'Bearer s3cret-token' };
const OWN_PROBLEM = '{"title":"Out of stock","status":500,"code":"E42"}';

const UNREACHABLE = 'GatewayFailure: shop is unreachable';
/** Paths of a server that fails in each way, with the page that follows. */
const FAILURES = [
  { path: '/reset', status: 502, title: UNREACHABLE },
  { path: '/slow', status: 504, title: 'GatewayFailure: shop timed out at /slow' },
  { path: '/failed', status: 500, title: 'GatewayFailure: shop failed at /failed' },
] as const;

const shop: RequestListener = (request, response) => {
  const [path] = request.url?.split('?') ?? [];
  if (path === '/slow') return;
  if (path === '/failed') response.writeHead(500, { 'Content-Type': 'text/html' }).end('<h1>my stack</h1>');
  else if (path === '/reset') request.socket.destroy();
  else if (path === '/own') response.writeHead(500, { 'X-Errata-Digest': 'OWN0-0001' }).end('<h1>own</h1>');
  else if (path === '/api/failed')
    response.writeHead(500, { 'Content-Type': 'application/problem+json' }).end(OWN_PROBLEM);
  else void text(request).then((body) => response.writeHead(201, { 'X-Shop': 'open' }).end(`got ${body}`));
};

const FORMS = {
  page: { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' },
  program: { Accept: 'application/json' },
  script: { Accept: '*/*', 'Sec-Fetch-Dest': 'script' },
} as const;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT'] as const;

/** What a client sees of a failure, and the ids by which its event is found. */
async function see(url: string, method: string, form: keyof typeof FORMS) {
  const body = method === 'POST' || method === 'PUT' ? { body: 'a=1' } : {};
  const headers = { ...FORMS[form], ...SECRETS, 'X-Errata-Digest': 'FORGED', 'X-Code': '599' };
  const answer = await fetch(`${url}?token=s3cret-query`, { method, headers, ...body });
  const content = await answer.text();
  const digest = answer.headers.get('x-errata-digest');
  const isWhole =
    method === 'HEAD' ? content === '' : content.includes(SENTENCE) && content.includes(digest ?? '-');
  const isProblem = form === 'program' && method !== 'HEAD';
  const { request_id: requestId } = (isProblem ? JSON.parse(content) : {}) as { request_id?: string };
  // No reference: the event was not on disk in time.
  const ids = [digest, answer.headers.get('x-errata-reference'), requestId].filter((id) => id != null);
  return { seen: { status: answer.status, digest, isWhole }, ids };
}

async function down(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close().closeAllConnections();
  await once(server, 'close');
}

for (const name of ['nginx', 'caddy'] as const) {
  test.describe(`behind ${name} with the lines of docs/gateway.md`, () => {
    test.skip(() => !hasProxy(name), `needs ${name}`);

    const port = lastingPort();
    let upstream: FakeUpstream;
    let errata: ErrataProcess;
    let server: Server;
    let gateway: Proxy;

    test.beforeAll(async () => {
      upstream = new FakeUpstream();
      await upstream.up();
      const environment = { SENTRY_DSN: upstream.dsn, ERRATA_GATEWAY_PORT: String(port), ERRATA_DEMO: 'off' };
      errata = await new ErrataProcess({ environment }).start();
      server = createServer(shop);
      gateway = await startGateway(name, await listenOnLastingPort(server), port);
    });

    test.afterAll(async () => {
      await gateway.stop();
      await errata.stop();
      await upstream.down();
    });

    const found = (id: string): Promise<FindAnswer> =>
      ask(errata, `/console/api/find?${new URLSearchParams({ q: id })}`);

    /** Asks for a path with all methods and forms, and expects one page of all, and every id to lead to its issue. */
    async function expectPages(path: string, status: number, title: string): Promise<void> {
      const asked = METHODS.flatMap((method) =>
        (Object.keys(FORMS) as (keyof typeof FORMS)[]).map((form) =>
          see(gateway.origin + path, method, form),
        ),
      );
      const pages = await Promise.all(asked);
      const digest = pages[0]?.seen.digest;
      const why = [path, ...(gateway.stderr.match(new RegExp(`.*error.*${path}.*`, 'g')) ?? [])].join('\n');
      expect(digest, why).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
      for (const { seen } of pages) expect(seen, why).toEqual({ status, digest, isWhole: true });
      for (const id of pages.flatMap(({ ids }) => ids)) {
        await expect.poll(async () => (await found(id)).issues.map((issue) => issue.title)).toEqual([title]);
      }
    }

    test('each failure keeps its status and gets the sentence with a digest; digest, reference and request id are found', async () => {
      await Promise.all(FAILURES.map(({ path, status, title }) => expectPages(path, status, title)));
    });

    test("a server's own digest is shown, and no second event is made", async () => {
      const { seen } = await see(`${gateway.origin}/own`, 'GET', 'page');

      expect(seen).toEqual({ status: 500, digest: 'OWN0-0001', isWhole: true });
      const metrics = await (await fetch(`${errata.managementUrl}/metrics`)).text();
      expect(metrics).toContain('errata_gateway_pages_total{outcome="given"} 1\n');
    });

    test("a server's good answers and its own problem details are untouched", async () => {
      const good = await fetch(`${gateway.origin}/orders`, { method: 'POST', body: 'a=1', headers: SECRETS });
      const problem = await fetch(`${gateway.origin}/api/failed`);

      expect([good.status, good.headers.get('x-shop'), await good.text()]).toEqual([201, 'open', 'got a=1']);
      expect([problem.status, await problem.text()]).toEqual([500, OWN_PROBLEM]);
    });

    test('a dead server has one issue on all paths; no secret is stored, logged or sent on, and no page goes upstream', async () => {
      await down(server);
      for (const path of ['/cart', '/slow']) await expectPages(path, 502, UNREACHABLE);
      const files = readdirSync(errata.dataDir).map((file) =>
        readFileSync(join(errata.dataDir, file), 'latin1'),
      );
      const { issues } = await ask<IssueList>(errata, '/console/api/issues');
      const newest = issues.map(({ address }) => ask(errata, `/console/api/issues/${address}`));
      const texts = [JSON.stringify([errata.records, await Promise.all(newest)]), ...files];

      expect(issues.filter(({ title }) => title === UNREACHABLE)).toHaveLength(1);
      expect(texts.join('\n')).not.toContain('s3cret');
      expect(upstream.arrived).toEqual([]);
    });

    for (const state of ['hangs', 'is away'] as const) {
      test(`while Errata ${state} the sentence is shown, with the id of the request`, async () => {
        const page = () => fetch(`${gateway.origin.replace('127.0.0.1', 'localhost')}/cart`);
        await down(server);
        await (state === 'hangs' ? process.kill(errata.pid, 'SIGSTOP') : errata.signal('SIGTERM'));
        const answer = await page();
        await (state === 'hangs' ? process.kill(errata.pid, 'SIGCONT') : errata.start());

        expect(answer.status).toBe(502);
        expect(await answer.text()).toMatch(/^Application error: .*\sReference: \S{32,36}\s*$/);
        await expect.poll(async () => (await page()).headers.has('x-errata-digest')).toBe(true);
      });
    }

    // Errata does not know one gateway from the other.
    if (name !== 'nginx') return;

    test('1,000 pages count 1,000 after a stop, and each reference that was shown is found after a kill', async () => {
      await down(server);
      const before = await countEvents();
      const references = await askTimes(1_000);
      await errata.signal('SIGTERM');
      await errata.start();
      expect((await countEvents()) - before).toBe(1_000);
      let killed: Promise<void> | undefined;
      references.push(...(await askTimes(100, () => (killed ??= errata.kill()))));
      await killed;
      await errata.start();

      await untilStored();
      // The last ones before the stop, and those around the kill.
      for (const reference of references.slice(-150)) expect((await found(reference)).issues).toHaveLength(1);
    });

    async function untilStored(): Promise<void> {
      await expect
        .poll(async () => (await ask<DeliveryState>(errata, '/console/api/delivery')).sinks)
        .toContainEqual(expect.objectContaining({ name: 'store', queued: 0 }));
    }

    async function countEvents(): Promise<number> {
      await untilStored();
      const { issues } = await ask<IssueList>(errata, '/console/api/issues');
      return issues.reduce((sum, { events }) => sum + events, 0);
    }

    /** Asks for pages, 50 at a time, and returns their references. @param onShown is called with each page that has one. */
    async function askTimes(count: number, onShown: () => unknown = () => undefined): Promise<string[]> {
      const references: string[] = [];
      const one = async (path: string): Promise<void> => {
        const { headers } = await fetch(gateway.origin + path);
        const reference = headers.get('x-errata-reference');
        if (reference === null) return;
        references.push(reference);
        onShown();
      };
      for (let from = 0; from < count; from += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, index) => one(`/cart/${from + index}`)));
      }
      return references;
    }
  });
}

/** Prints its port, and fails each request. */
const PYTHON = `
import sentry_sdk, sys
from sentry_sdk.integrations.wsgi import SentryWsgiMiddleware
from wsgiref.simple_server import make_server
def app(environ, start_response):
    raise ValueError('no price')
sentry_sdk.init(dsn=sys.argv[1])
server = make_server('127.0.0.1', 0, SentryWsgiMiddleware(app))
print(server.server_port, flush=True)
server.serve_forever()`;

test('the reference of a page leads to the stack that the server reports later, by the id of the request', async () => {
  const python = findPythonSdk();
  test.skip(python === undefined || !hasProxy('nginx'), "needs nginx and Sentry's SDK for Python");
  const port = lastingPort();
  const environment = { ERRATA_GATEWAY_PORT: String(port), ERRATA_DEMO: 'off' };
  const errata = await new ErrataProcess({ environment }).start();
  /** What the SDK has sent, which Errata gets after the page. */
  const held: { readonly url: string; readonly headers: Headers; readonly body: BodyInit }[] = [];
  const holder = createServer((request, response) => {
    void buffer(request).then((body) => {
      const names = ['content-type', 'content-encoding', 'x-sentry-auth'];
      const headers = new Headers(names.map((name) => [name, String(request.headers[name] ?? '')]));
      held.push({ url: request.url ?? '', headers, body: new Uint8Array(body) });
      response.end('{}');
    });
  });
  const holderPort = await listenOnLastingPort(holder);
  const { projects } = await ask<Setup>(errata, '/console/api/setup');
  const dsn = projects[0]?.serverDsn?.replace(/@[^/]+/, `@127.0.0.1:${holderPort}`) ?? '';
  const child = spawn(python ?? '', ['-c', PYTHON, dsn], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const gateway = await startGateway('nginx', Number(printed), port);

  const paths = ['/cart/1', '/cart/2', '/cart/3'];
  const pages = await Promise.all(paths.map((path) => fetch(gateway.origin + path)));
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(paths.length);
  for (const { url, ...request } of held) await fetch(errata.url + url, { method: 'POST', ...request });

  for (const [index, { headers }] of pages.entries()) {
    const q = headers.get('x-errata-reference') ?? '';
    await expect(async () => {
      const { issues } = await ask<FindAnswer>(errata, `/console/api/find?${new URLSearchParams({ q })}`);
      const page = await ask<EventDetail>(errata, `/console/api/events/${issues[0]?.match?.eventId}`);
      expect(page.linkedEvent).toMatchObject({ title: 'ValueError: no price', joinedBy: 'request_id' });
      const stack = await ask<EventDetail>(errata, `/console/api/events/${page.linkedEvent?.eventId}`);
      expect(stack.request?.url).toContain(paths[index]);
    }).toPass();
  }
  child.kill();
  holder.close();
  await gateway.stop();
  await errata.stop();
});
