import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { expect } from '@playwright/test';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { test } from './fixtures/test.ts';

const HOST = join(import.meta.dirname, 'fixtures', 'nest-host.ts');
const DIGEST_LINE = /Digest: [0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/;
const NAVIGATION = { accept: 'text/html', 'accept-encoding': 'br, gzip' };

/** An application: that of a process, or one of several. */
type Host = Pick<ErrataProcess, 'url'>;

/** Starts a process with one application. */
function startHost(dataDir?: string): Promise<ErrataProcess> {
  return new ErrataProcess({ main: HOST, ...(dataDir === undefined ? {} : { dataDir }) }).start();
}

async function get(host: Host, path: string, headers = {}): Promise<IncomingMessage> {
  const [answer] = (await once(request(host.url + path, { headers }).end(), 'response')) as [IncomingMessage];
  return answer;
}

/** Asks the console's API. */
async function ask<Answer>(host: Host, path: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (await (await fetch(`${host.url}/console/api/${path}`, { headers })).json()) as Answer;
}

/** Returns the titles of the issues that the console finds by a text. */
async function found(host: Host, words: string): Promise<readonly string[]> {
  const { issues } = await ask<FindAnswer>(host, `find?${new URLSearchParams({ q: words })}`);
  return issues.map(({ title }) => title.replace(/^Error: /, ''));
}

test.describe('a failure in another Nest application', () => {
  let host: ErrataProcess;

  test.beforeAll(async () => {
    host = await startHost();
  });

  test.afterAll(() => host.stop());

  for (const name of ['compressed', 'download', 'moved', 'ranged']) {
    test(`shows the page with its digest and no header of the body that failed: ${name}`, async ({
      page,
    }) => {
      const response = await page.goto(`${host.url}/reports/${name}`);
      const answer = await get(host, `/reports/${name}`, NAVIGATION);
      const body = await text(answer);

      expect(response?.status()).toBe(500);
      await expect(page.getByText(DIGEST_LINE)).toBeVisible();
      expect(await response?.headerValue('x-errata-digest')).not.toBeNull();
      expect(body).toContain(answer.headers['x-errata-digest']);
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(body)));
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(
        Object.keys(answer.headers).filter((header) =>
          /^content-(dis|enc|range)|^(accept-ranges|etag|refresh|last-m)/.test(header),
        ),
      ).toEqual([]);
    });
  }

  test('shows the page with its digest to a browser that has an earlier page with the same ETag', async ({
    page,
  }) => {
    await page.goto(`${host.url}/reports/tagged`);
    await expect(page.getByText('the first report')).toBeVisible();

    const response = await page.goto(`${host.url}/reports/tagged`);

    expect(response?.status()).toBe(500);
    await expect(page.getByText(DIGEST_LINE)).toBeVisible();
  });

  for (const [path, message] of [
    ['file', 'the volume is gone'],
    ['events', 'the source of events is gone'],
  ] as const) {
    test(`records what breaks after the first byte, and closes the connection: ${path}`, async () => {
      const answer = await get(host, `/streams/${path}`);
      await once(answer, 'data');

      await get(host, '/streams/break');

      await expect(text(answer)).rejects.toThrow('aborted');
      await expect.poll(() => found(host, message)).toEqual([message]);
    });
  }

  test('records the error of a GraphQL resolver, and passes it on', async () => {
    const answer = await get(host, '/elsewhere/resolver');

    expect(await text(answer)).toBe('Error: the resolver failed');
    await expect.poll(() => found(host, 'the resolver failed')).toEqual(['the resolver failed']);
  });

  test('leaves requests to the application that are no reports, on paths of the tunnel', async () => {
    const { browserDsn: dsn = '' } = (await ask<Setup>(host, 'setup')).projects[0] ?? {};
    const { username, pathname } = new URL(dsn);
    const post = async (path: string, type: string, body: string): Promise<string> => {
      const answer = await fetch(host.url + path, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      return `${answer.status} ${await answer.text()}`;
    };

    expect(await post('/reports', 'application/json', '{}')).toBe('201 the report of the shop');
    expect(await post('/reports', 'application/reports+json', '[]')).toMatch(/^200 /);
    expect(await post('/api/5/store', 'application/json', '{}')).toBe('201 the order is stored');
    expect(
      await post(`/api${pathname}/store/?sentry_key=${username}`, 'application/json', '{"message":"by key"}'),
    ).toMatch(/^200 /);
  });

  /** Returns the address of the management port. */
  const managementUrl = (): string =>
    String(host.records.find(({ msg }) => msg === 'management_started')?.['management']);

  test('ends with one line when the management port is in use', async () => {
    const { port } = new URL(managementUrl());

    const failed = await new ErrataProcess({ main: HOST, environment: { MANAGEMENT_PORT: port } }).tryStart();

    expect(failed).toEqual({ code: 1, stderr: `MANAGEMENT_PORT: 127.0.0.1:${port} is already in use\n` });
  });

  for (const [path, message] of [
    ['timer', 'thrown in a timer'],
    ['promise', 'rejected without a handler'],
  ] as const) {
    test(`is recorded when it ends the process: ${path}`, async () => {
      await get(host, `/elsewhere/${path}`).catch(() => {});
      await expect.poll(() => host.hasEnded).toBe(true);
      host = await startHost(host.dataDir);

      await expect.poll(() => found(host, message)).toEqual([message]);
    });
  }

  test('leaves probes and metrics on MANAGEMENT_PORT open, and the process ends', async () => {
    const answers = await Promise.all(
      ['livez', 'readyz', 'startupz', 'metrics', 'nope'].map((path) => fetch(`${managementUrl()}/${path}`)),
    );
    const [, ready, , metrics] = await Promise.all(answers.map((answer) => answer.text()));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404]);
    expect(ready).toBe('{"state":"ready"}');
    expect(metrics).toContain('errata_spool_');
    expect(await host.stop()).not.toBe(1);
  });
});

/** Each with a path of the application itself, which its own settings move. */
const SETTINGS = [
  { shop: {}, own: '/elsewhere/resolver' },
  { shop: { prefix: 'api' }, own: '/api/elsewhere/resolver' },
  { shop: { prefix: 'api', exclude: ['elsewhere/*path'] }, own: '/elsewhere/resolver' },
  { shop: { version: '2' }, own: '/v2/elsewhere/resolver' },
  { shop: { prefix: 'api', version: '2' }, own: '/api/v2/elsewhere/resolver' },
  { shop: { tested: true }, own: '/elsewhere/resolver' },
];
const RULES = { rules: true };

test.describe('other Nest applications, all in one process', () => {
  let all: ErrataProcess;
  let urls: readonly string[];

  test.beforeAll(async () => {
    const shops = [...SETTINGS.map(({ shop }) => shop), RULES];
    all = await new ErrataProcess({
      main: HOST,
      environment: { SHOPS: JSON.stringify(shops), MANAGEMENT_PORT: '' },
    }).start();
    urls = all.records.find(({ msg }) => msg === 'started')?.['urls'] as readonly string[];
  });

  test.afterAll(() => all.stop());

  for (const [index, { shop, own }] of SETTINGS.entries()) {
    test(`have the tunnel, the console and the not-found page at their paths: ${JSON.stringify(shop)}`, async () => {
      const host = { url: urls[index] ?? '' };
      const { projects } = await ask<Setup>(host, 'setup');
      const { browserDsn: dsn = '' } = projects[0] ?? {};
      const envelope = `${JSON.stringify({ dsn })}\n{"type":"event"}\n{"message":"from a browser"}\n`;
      const paths = ['/tunnel', `/api/${new URL(dsn).pathname.slice(1)}/envelope/`];

      const sent = await Promise.all(
        paths.map((path) => fetch(host.url + path, { method: 'POST', body: envelope })),
      );
      const unknown = await Promise.all(
        ['/nope', `${own}/nope`, '/console/api/nope'].map((path) => get(host, path, NAVIGATION)),
      );
      const failed = await get(host, '/demo/server-error', NAVIGATION);

      expect(sent.map(({ status }) => status)).toEqual([200, 200]);
      expect(unknown.map(({ statusCode, headers }) => [statusCode, headers['x-robots-tag']])).toEqual(
        unknown.map(() => [404, 'noindex']),
      );
      expect(await text(failed)).toContain(`>${String(failed.headers['x-errata-digest'])}<`);
      expect((await get(host, own)).statusCode).toBe(200);
    });
  }

  test('keep the rules for their own routes away from the console', async () => {
    const host = { url: urls.at(-1) ?? '' };
    const headers = { 'content-type': 'application/json' };
    const signIn = (body: string): Promise<Response> =>
      fetch(`${host.url}/console/api/session`, { method: 'POST', headers, body });

    const [signedIn, malformed] = [await signIn(JSON.stringify({ token: TOKEN })), await signIn('{')];
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const state = await fetch(`${host.url}/console/api/session`, { headers: { cookie } });

    expect(await (await get(host, '/elsewhere/resolver')).toArray()).toEqual([
      Buffer.from('the answer of the shop'),
    ]);
    expect([signedIn.status, malformed.status]).toEqual([200, 400]);
    expect(await state.json()).toMatchObject({ role: 'operator' });
    expect(await found(host, 'no such error')).toEqual([]);
    expect((await fetch(`${host.url}/console/api/delivery`)).status).toBe(401);
  });

  test('have no management port unless MANAGEMENT_PORT is set', () => {
    expect(all.records.filter(({ msg }) => msg === 'management_started')).toEqual([]);
  });
});

test('an application that imports the module twice ends with one line for each', async () => {
  const host = new ErrataProcess({ main: HOST, environment: { SHOPS: JSON.stringify([{ times: 2 }]) } });
  const line = 'Import ErrorReportingModule.forRoot() once, in the root module; it is imported 2 times\n';

  // Nest prints no line, because the application has switched its logger off.
  expect(await host.tryStart()).toEqual({ code: 1, stderr: line + line });
});
