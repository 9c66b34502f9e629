import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { AuditList, SessionList, SessionState } from '../../../contract/access-api.ts';
import { ConsoleServer, cookieOf, OPERATOR_TOKEN } from '../../console-server.fixture.ts';
import { Browser } from './browser.fixture.ts';
import { CLIENT_ID, CLIENT_SECRET, SmallProvider } from './small-provider.fixture.ts';

const PEOPLE = {
  ann: { email: 'Ann@example.org', email_verified: true, name: 'Ann' },
  ben: { email: 'ben@example.org', email_verified: true, groups: ['helpdesk', 'football'] },
  eve: { email: 'ann@example.org', email_verified: false, name: 'Eve' },
  kim: { email: 'kim@example.org', email_verified: true },
  max: { email: 'ann@example.org', email_verified: false },
};
const ID_TOKENS = { ann: { email: 'ann@example.org', groups: [] }, max: { email_verified: true } };

/** Cookie of a pending sign-in that the browser itself has made up. */
const FORGED = `errata-oidc=${Buffer.from(
  JSON.stringify({ state: 'x', nonce: 'n', verifier: 'v'.repeat(43), to: '/console', beganAtMs: Date.now() }),
).toString('base64url')}`;

let provider: SmallProvider;
let server: ConsoleServer;

beforeEach(async () => {
  provider = await SmallProvider.listen(PEOPLE, ID_TOKENS);
  server = await ConsoleServer.start({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_OPERATORS: 'ann@example.org',
    OIDC_SUPPORT: 'group:helpdesk',
  });
  provider.serve(`${server.url}/console/api/oidc/return`);
});
afterEach(async () => {
  await server.close();
  await provider.close();
});

async function stateOf(cookie: string): Promise<SessionState> {
  return (await (await server.ask('GET', '/console/api/session', { cookie })).json()) as SessionState;
}

describe('signing in by OpenID Connect', () => {
  it('ends on the wanted page with a session of its own, whose role our lists give', async () => {
    const browser = new Browser(server.url);

    const landed = await browser.go(await browser.signInAtProvider('ann'));

    expect(landed.status).toBe(303);
    expect(landed.headers.get('location')).toBe('/console/e/7K3M-9QXD');
    expect(landed.headers.get('cache-control')).toBe('no-store');
    expect(await stateOf(browser.cookie())).toEqual({
      signedIn: true,
      open: true,
      ways: ['token', 'oidc'],
      who: 'ann@example.org',
      role: 'operator',
    });
  });

  it('gives by groups, too, and support may end the sessions of its own person only', async () => {
    const browsers = [new Browser(server.url), new Browser(server.url), new Browser(server.url)] as const;
    await browsers[0].go(await browsers[0].signInAtProvider('ben'));
    await browsers[1].go(await browsers[1].signInAtProvider('ben'));
    await browsers[2].go(await browsers[2].signInAtProvider('ann'));

    const response = await server.ask('GET', '/console/api/sessions', { cookie: browsers[0].cookie() });

    const { sessions } = (await response.json()) as SessionList;
    expect(sessions.map(({ who, role, way }) => [who, role, way])).toEqual([
      ['ben@example.org', 'support', 'oidc'],
      ['ben@example.org', 'support', 'oidc'],
    ]);
    expect(sessions.filter(({ own }) => own)).toHaveLength(1);
  });

  it.each([
    ['the unverified address of an operator', 'eve'],
    ['this address at the userinfo endpoint and email_verified in the ID token', 'max'],
  ])('denies a user with %s', async (_, account) => {
    const browser = new Browser(server.url);

    const landed = await browser.go(await browser.signInAtProvider(account));

    expect(landed.headers.get('location')).toBe('/console/sign-in?problem=unverified');
    expect((await stateOf(browser.cookie())).signedIn).toBe(false);
  });

  it('says that the provider has refused', async () => {
    const browser = new Browser(server.url);

    const landed = await browser.go(await browser.signInAtProvider('unknown'));

    expect(landed.headers.get('location')).toBe('/console/sign-in?problem=denied');
  });

  it('is written down with the name of the person', async () => {
    const browser = new Browser(server.url);
    await browser.go(await browser.signInAtProvider('ann'));

    const response = await server.ask('GET', '/console/api/audit', { bearer: OPERATOR_TOKEN });

    const { entries } = (await response.json()) as AuditList;
    expect(entries).toMatchObject([
      { who: 'ann@example.org', role: 'operator', action: 'sign_in', detail: 'oidc' },
    ]);
  });

  it('of a user without a role is written down, too', async () => {
    const browser = new Browser(server.url);
    await browser.go(await browser.signInAtProvider('kim'));

    const { entries } = await server.read<AuditList>('/console/api/audit', { bearer: OPERATOR_TOKEN });

    const refusal = { action: 'sign_in_refused', role: null, detail: 'no_groups_claim' };
    expect(entries).toMatchObject([{ who: 'kim@example.org', ...refusal }]);
    expect(await server.parts.options.metrics.registry.metrics()).toContain('{outcome="no_access"} 1\n');
  });

  it('leaves no token in the database', async () => {
    const browser = new Browser(server.url);
    await browser.go(await browser.signInAtProvider('ann'));
    const token = browser.cookie().split('=')[1] ?? 'no token';

    const files = Buffer.concat(
      ['store.db', 'store.db-wal'].map((name) => readFileSync(join(server.dataDir, name))),
    );

    expect(files.includes(createHash('sha256').update(token).digest('hex'))).toBe(true);
    expect(files.includes(token)).toBe(false);
  });
});

describe('attacks on a sign-in by OpenID Connect', () => {
  it('an answer of the provider is worth nothing in another browser', async () => {
    const [own, other] = [new Browser(server.url), new Browser(server.url)];
    const returned = await own.signInAtProvider('ann');
    await other.signInAtProvider('ben');

    const landed = await other.go(returned);

    expect(landed.headers.get('location')).toBe('/console/sign-in?problem=expired');
    expect((await stateOf(other.cookie())).signedIn).toBe(false);
  });

  it('the same answer is good once', async () => {
    const browser = new Browser(server.url);
    const returned = await browser.signInAtProvider('ann');
    await browser.go(returned);

    const again = await browser.go(returned);

    expect(again.headers.get('location')).toBe('/console/sign-in?problem=expired');
  });

  it('a code with the state of another sign-in is rejected: PKCE and nonce bind it', async () => {
    const [own, other] = [new Browser(server.url), new Browser(server.url)];
    const code = new URL(await own.signInAtProvider('ann')).searchParams.get('code') ?? '';
    const returned = new URL(await other.signInAtProvider('ben'));
    returned.searchParams.set('code', code);

    const landed = await other.go(returned.href);

    expect(landed.headers.get('location')).toBe('/console/sign-in?problem=expired');
    expect((await stateOf(other.cookie())).signedIn).toBe(false);
  });

  it('leads back to the console and not to another site', async () => {
    const browser = new Browser(server.url);

    const landed = await browser.go(await browser.signInAtProvider('ann', 'https://evil.example/'));

    expect(landed.headers.get('location')).toBe('/console');
  });

  it('the session that was in the browser before is worth nothing afterwards', async () => {
    const planted = await server.signIn(OPERATOR_TOKEN);
    const browser = new Browser(server.url);
    const returned = await browser.signInAtProvider('ben');

    const landed = await fetch(returned, {
      redirect: 'manual',
      headers: { cookie: `${browser.cookie()}; ${planted}` },
    });

    expect(cookieOf(landed)).not.toContain(planted);
    expect((await stateOf(planted)).signedIn).toBe(false);
    expect(await stateOf(cookieOf(landed))).toMatchObject({ signedIn: true, role: 'support' });
  });

  it('the cookie of a pending sign-in is out of reach of scripts, and the session is Strict', async () => {
    const browser = new Browser(server.url);
    const start = await browser.go(`${server.url}/console/api/oidc/start`);

    const landed = await browser.go(await browser.signInAtProvider('ann'));

    expect(start.headers.getSetCookie().join()).toMatch(/^errata-oidc=.*HttpOnly; SameSite=Lax$/);
    expect(landed.headers.getSetCookie().join()).toMatch(/errata-session=.*HttpOnly; SameSite=Strict/);
  });
});

describe('the limit of sign-ins from one address', () => {
  /** Returns with a code that the provider has not given, in a browser with these headers. */
  async function returnWith(headers: Readonly<Record<string, string>>): Promise<Response> {
    const returned = `${server.url}/console/api/oidc/return?state=x&code=c`;
    return fetch(returned, { redirect: 'manual', headers });
  }

  it.each([
    ['cross-site images, also with a pending sign-in', FORGED, { 'sec-fetch-dest': 'image' }, 403],
    ['images in a browser that does not name them', '', {}, 303],
  ])('does not count %s', async (_, cookie, headers, status) => {
    const browser = new Browser(server.url);
    const returned = await browser.signInAtProvider('ann');

    const images = [];
    for (let image = 0; image < 10; image += 1)
      images.push((await returnWith({ cookie, ...headers })).status);
    const landed = await browser.go(returned);

    expect(images).toEqual(Array<number>(10).fill(status));
    expect(landed.headers.get('location')).toBe('/console/e/7K3M-9QXD');
  });

  it('does not count those of an office, with and without a role', async () => {
    const landed = [];
    for (const account of ['eve', 'kim', 'ann'].flatMap((name) => Array<string>(11).fill(name))) {
      const browser = new Browser(server.url);
      const { headers } = await browser.go(await browser.signInAtProvider(account, '/console'));
      landed.push(headers.get('location'));
    }

    expect(landed).toEqual([
      ...Array<string>(11).fill('/console/sign-in?problem=unverified'),
      ...Array<string>(11).fill('/console/sign-in?problem=no_access'),
      ...Array<string>(11).fill('/console'),
    ]);
  });

  it('counts forged returns, and leaves the other ways open', async () => {
    const landed = [];
    for (let forgery = 0; forgery < 11; forgery += 1)
      landed.push((await returnWith({ cookie: FORGED })).headers.get('location'));

    expect(landed).toEqual([
      ...Array<string>(10).fill('/console/sign-in?problem=rejected'),
      '/console/sign-in?problem=too_many',
    ]);
    const metrics = await server.parts.options.metrics.registry.metrics();
    expect(metrics).toMatch(/"limited"\} 1\n.*"no_access"\} 0\n.*"failed"\} 10\n/);
    expect(await stateOf(await server.signIn(OPERATOR_TOKEN))).toMatchObject({ signedIn: true });
  });
});

describe('a provider that is down', () => {
  it('stops neither the start nor the sign-in by token, and is said', async () => {
    provider.fail();

    const down = await new Browser(server.url).go(`${server.url}/console/api/oidc/start`);
    const byToken = await server.signIn(OPERATOR_TOKEN);

    expect(down.headers.get('location')).toBe('/console/sign-in?problem=unreachable');
    expect(await stateOf(byToken)).toMatchObject({ signedIn: true });
  });

  it('that goes down in mid-sign-in is said, too', async () => {
    const browser = new Browser(server.url);
    const returned = await browser.signInAtProvider('ann');
    provider.fail();

    const landed = await browser.go(returned);

    expect(landed.headers.get('location')).toBe('/console/sign-in?problem=unreachable');
  });
});

describe('without a provider', () => {
  it('the way to it is closed and says which setting opens it', async () => {
    const closed = await ConsoleServer.start();

    const response = await closed.ask('GET', '/console/api/oidc/start');

    expect(response.status).toBe(403);
    expect(await response.text()).toContain('OIDC_ISSUER');
    await closed.close();
  });
});

it.each(['start', 'return'])('refuses a Host that is none: %s', async (end) => {
  const sent = get(`${server.url}/console/api/oidc/${end}`, { headers: { host: 'localhost:99999' } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();

  expect(response.statusCode).toBe(400);
});
