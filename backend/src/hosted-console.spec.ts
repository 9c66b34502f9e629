import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { OPERATOR_TOKEN } from './console/console-server.fixture.ts';
import { CLIENT_ID, CLIENT_SECRET, SmallProvider } from './console/auth/oidc/small-provider.fixture.ts';
import type { Setup } from './contract/setup-api.ts';
import { ErrorReportingModule } from './error-reporting.module.ts';

const QUIET = { logger: false, abortOnError: false } as const;

/** The request of a browser, as a proxy of ERRATA_TRUST_PROXY passes it on. */
const BEHIND_PROXY = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };

describe('the console in another application, behind a proxy, equals that of Errata alone', () => {
  let folder: string;
  let provider: SmallProvider;
  let shop: NestExpressApplication;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errata-hosted-'));
    provider = await SmallProvider.listen({});
    provider.serve('https://shop.example/console/api/oidc/return');
    const settings = {
      ERRATA_DATA_DIR: folder,
      ERRATA_CONSOLE_TOKEN: OPERATOR_TOKEN,
      ERRATA_TRUST_PROXY: '127.0.0.1',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_OPERATORS: 'ann@example.org',
    };
    @Module({ imports: [ErrorReportingModule.forRoot({ settings })] })
    class ShopModule {}
    shop = await NestFactory.create<NestExpressApplication>(ShopModule, QUIET);
    // For the application's own routes only.
    shop.set('trust proxy', true);
    await shop.listen(0, '127.0.0.1');
  });

  afterAll(async () => {
    await shop.close();
    await provider.close();
    rmSync(folder, { recursive: true });
  });

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...BEHIND_PROXY, 'content-type': 'application/json', ...init.headers };
    return fetch((await shop.getUrl()) + path, { redirect: 'manual', ...init, headers });
  }

  it('shows a DSN and a tunnel that accept reports', async () => {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };

    const setup = (await (await ask('/console/api/setup', { headers })).json()) as Setup;

    expect(setup).toMatchObject({
      origin: 'https://shop.example',
      tunnel: '/tunnel',
      projects: [{ serverDsn: expect.stringMatching(/^https:\/\/[0-9a-f]{32}@shop\.example\/1$/) }],
    });
  });

  it('signs in by token with a cookie that only this host can set', async () => {
    const body = JSON.stringify({ token: OPERATOR_TOKEN });

    const signedIn = await ask('/console/api/session', { method: 'POST', body });

    expect(signedIn.status).toBe(200);
    expect(signedIn.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-errata=.*; Path=\/; .*HttpOnly; Secure/),
    ]);
  });

  it('sends users of a provider back to the registered address', async () => {
    const started = await ask('/console/api/oidc/start');
    const returned = await ask('/console/api/oidc/return?state=unknown');

    const { searchParams } = new URL(started.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe('https://shop.example/console/api/oidc/return');
    expect(returned.headers.get('location')).toMatch(/^\/console\/sign-in\?problem=/);
  });

  it('counts wrong tokens by the address that the trusted proxy reports, with any port and anything before it', async () => {
    const guess = async (forwarded: string): Promise<number> => {
      const init = { method: 'POST', body: '{"token":"a-wrong-token-of-a-guesser"}' };
      return (await ask('/console/api/session', { ...init, headers: { 'x-forwarded-for': forwarded } }))
        .status;
    };
    const statuses: number[] = [];
    for (let times = 0; times < 11; times += 1)
      statuses.push(await guess(`198.51.100.${times}, 203.0.113.7:${4_000 + times}`));

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(await guess('203.0.114.7')).toBe(401);
  });
});
