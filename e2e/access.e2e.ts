import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/test.ts';
import type { AuditList, SessionList } from '@errata/backend/contract/access-api.ts';
import type { IssueList } from '@errata/backend/contract/issues-api.ts';
import type { Erased } from '@errata/backend/contract/erasure-api.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  SmallProvider,
} from '../backend/src/console/auth/oidc/small-provider.fixture.ts';
import { send } from './fixtures/console-pages.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
const PEOPLE = {
  ann: { email: 'ann@example.org', email_verified: true },
  ben: { email: 'ben@example.org', email_verified: true },
  eve: { email: 'eve@example.org', email_verified: true },
};

async function ask<T>(errata: ErrataProcess, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${errata.url}/console/api/${path}`, {
    method,
    headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

const upstream = new FakeUpstream();
let provider: SmallProvider;
let errata: ErrataProcess;

test.beforeAll(async () => {
  await upstream.up();
  provider = await SmallProvider.listen(PEOPLE);
  errata = await new ErrataProcess({
    environment: {
      SENTRY_DSN: upstream.dsn,
      ERRATA_SCRUB: 'all',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_OPERATORS: 'ann@example.org',
      OIDC_SUPPORT: 'ben@example.org',
    },
  }).start();
  provider.serve(`${errata.url}/console/api/oidc/return`);
});

test.afterAll(async () => {
  expect(await errata.stop()).toBe(0);
  await provider.close();
  await upstream.down();
});

test.describe('sign-in by OpenID Connect, in a browser for which the provider is another site', () => {
  async function signIn(page: Page, account: string, wanted = '/console/issues?status=all'): Promise<void> {
    await page.goto(errata.url + wanted);
    await page.getByRole('link', { name: 'Sign in with SSO' }).click();
    await page.getByLabel('Account').fill(account);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Asks as the page itself would. */
  function statusOf(page: Page, method: string, path: string): Promise<number> {
    return page.evaluate(
      async ([verb, url]) =>
        (await fetch(url, { method: verb, headers: { accept: 'application/json' } })).status,
      [method, `/console/api/${path}`] as const,
    );
  }

  test('ends on the page that was wanted, signed in by a Strict cookie, also after a reload', async ({
    page,
  }) => {
    await signIn(page, 'ann');

    await page.waitForURL(`${errata.url}/console/issues?status=all`);
    await expect(page.getByRole('heading', { level: 1, name: 'Issues' })).toBeVisible();
    expect(await statusOf(page, 'GET', 'audit')).toBe(200);
    const cookies = await page.context().cookies(errata.url);
    expect(cookies).toMatchObject([{ name: 'errata-session', sameSite: 'Strict', httpOnly: true }]);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Issues' })).toBeVisible();
  });

  test('support reads and changes nothing, and a session that is revoked ends at once', async ({ page }) => {
    await signIn(page, 'ben');
    await expect(page.getByRole('heading', { level: 1, name: 'Issues' })).toBeVisible();

    const statuses = [
      await statusOf(page, 'GET', 'delivery'),
      await statusOf(page, 'POST', 'dead-letters/discard'),
      await statusOf(page, 'POST', 'erasure'),
      await statusOf(page, 'GET', 'audit'),
    ];
    const { sessions } = await ask<SessionList>(errata, 'GET', 'sessions');
    const own = sessions.find(({ who }) => who === 'ben@example.org');
    await ask(errata, 'DELETE', `sessions/${own?.id}`);
    await page.reload();

    expect(statuses).toEqual([200, 403, 403, 403]);
    await expect(page.getByRole('link', { name: 'Sign in with SSO' })).toBeVisible();
    expect(await statusOf(page, 'GET', 'delivery')).toBe(401);
    const { entries } = await ask<AuditList>(errata, 'GET', 'audit');
    expect(entries.map(({ who, action, target }) => [who, action, target])).toEqual(
      expect.arrayContaining([
        ['ben@example.org', 'sign_in', null],
        ['operator', 'revoke', 'ben@example.org'],
      ]),
    );
  });

  test('a user on no list gets a page that says so', async ({ page }) => {
    await signIn(page, 'eve');

    await page.waitForURL(/\/console\/sign-in\?problem=no_access$/);
    await expect(page.getByRole('alert').first()).toContainText('You do not have access to this console');
    expect(await statusOf(page, 'GET', 'delivery')).toBe(401);
  });
});

test('the audit log shows digest, project, old and new status of each issue, and no keys', async ({
  page,
}) => {
  await fetch(`${errata.url}/demo/server-error?id=1`);
  await fetch(`${errata.url}/demo/server-error?id=1&fault=2`);
  await expect(async () =>
    expect((await ask<IssueList>(errata, 'GET', 'issues')).issues).toHaveLength(2),
  ).toPass();
  const { issues } = await ask<IssueList>(errata, 'GET', 'issues');
  const named = issues.map(({ key, project }) => ({ key, project }));
  const dsn = new URL(issues[0]?.project ?? '');

  await ask(errata, 'POST', 'issues/status', { issues: named, status: 'ignored' });
  await ask(errata, 'GET', `find?q=${encodeURIComponent(dsn.href)}`);
  await page.request.post(`${errata.url}/console/api/session`, { data: { token: TOKEN } });
  await page.goto(`${errata.url}/console/account`);

  const log = page.getByRole('list', { name: 'Audit log' });
  for (const { digest } of issues) {
    const entry = log.getByRole('listitem').filter({ has: page.getByRole('link', { name: digest }) });
    await expect(entry).toHaveCount(1);
    await expect(entry).toContainText(`open -> ignored, ${dsn.host}${dsn.pathname}`);
  }
  const api = JSON.stringify(await ask<AuditList>(errata, 'GET', 'audit'));
  for (const text of [api, (await log.textContent()) ?? '']) {
    expect(text).not.toContain(dsn.username);
    expect(text).not.toMatch(/[\da-f]{64}/i);
  }
});

// protocol.e2e.ts has the bytes as they came, without it.
test('ERRATA_SCRUB=all keeps secrets from upstreams', async () => {
  const id = newEventId();

  await send(errata, errorEnvelope(upstream.dsn, id, 'paid with 4111 1111 1111 1111'));
  await upstream.until((arrived) => arrived.some(({ eventId }) => eventId === id));

  const arrived = upstream.arrived.find(({ eventId }) => eventId === id);
  expect(arrived?.items.toString()).toContain('paid with [Filtered]');
});

test('erased data is neither delivered nor in any file', async () => {
  upstream.status = 503;
  const own = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } }).start();
  const [toForget, other] = [newEventId(), newEventId()];
  const event = (id: string, email: string): string => {
    const [header, item, body = ''] = errorEnvelope(upstream.dsn, id, `nothing of ${email}`).split('\n');
    return [header, item, JSON.stringify({ ...JSON.parse(body), user: { email } })].join('\n');
  };
  const filesThatHold = (text: string): readonly string[] =>
    readdirSync(own.dataDir).filter((name) => readFileSync(join(own.dataDir, name)).includes(text));
  for (const body of [event(toForget, 'ann@example.org'), event(other, 'ben@example.org')])
    await fetch(`${own.url}/tunnel`, { method: 'POST', body });
  await expect(() => ask(own, 'GET', `events/${toForget}`)).toPass();
  const before = filesThatHold('ann@example.org');

  const erased = await ask<Erased>(own, 'POST', 'erasure', { user: 'ann@example.org' });

  expect(before).not.toEqual([]);
  expect(erased).toEqual({ events: 1, feedback: 0, spooled: 1 });
  expect(filesThatHold('ann@example.org')).toEqual([]);
  upstream.status = 200;
  await upstream.until((arrived) => arrived.some(({ eventId }) => eventId === other));
  expect(upstream.arrived.some(({ eventId }) => eventId === toForget)).toBe(false);
  await expect(async () => {
    const state = await ask<Readonly<Record<string, unknown>>>(own, 'GET', 'delivery');
    expect(state).toMatchObject({ accepted: 2, delivered: 1, erased: 1, queued: 0, missing: 0 });
  }).toPass();
  expect(await own.stop()).toBe(0);
});
