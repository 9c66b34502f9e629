import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { ConsoleModule } from '../../console.module.ts';
import type { SessionList, SessionState } from '../../contract/access-api.ts';
import { deadLetterId } from '../delivery/dead-letter-id.ts';
import { ConsoleServer, cookieOf, OPERATOR_TOKEN, SUPPORT_TOKEN } from '../console-server.fixture.ts';

const OPERATOR = { bearer: OPERATOR_TOKEN };
const SUPPORT = { bearer: SUPPORT_TOKEN };

let server: ConsoleServer;
beforeEach(async () => {
  server = await ConsoleServer.start();
});
afterEach(() => server.close());

/** Id of a dead letter of this server. */
function letter(number: number): string {
  return deadLetterId(number, server.parts.spool.identity);
}

/** Routes other than reads that are open to support: signing in and out, and revoking its own sessions. */
const FOR_SUPPORT = [
  'POST /console/api/session',
  'DELETE /console/api/session',
  'DELETE /console/api/sessions/1',
];

/** Every route of the console's controllers that is no read. */
function changingRoutes(): readonly string[] {
  const { controllers = [] } = ConsoleModule.forRoot(server.parts);
  return controllers
    .flatMap((controller) => {
      const base = String(Reflect.getMetadata(PATH_METADATA, controller));
      return Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
        const method: unknown = controller.prototype[name];
        if (typeof method !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, method)) return [];
        const verb = RequestMethod[Number(Reflect.getMetadata(METHOD_METADATA, method))];
        const path = `/${base}/${String(Reflect.getMetadata(PATH_METADATA, method))}`.replaceAll(/\/+/g, '/');
        return verb === 'GET' ? [] : [`${verb} ${path.replaceAll(/:\w+/g, '1').replace(/\/$/, '')}`];
      });
    })
    .filter((route) => route.includes('/console/api/'));
}

describe('roles', () => {
  it('no route that changes something is open to support', async () => {
    const statuses: Record<string, number> = {};
    for (const route of changingRoutes()) {
      const [method = '', path = ''] = route.split(' ');
      statuses[route] = (await server.ask(method, path, SUPPORT, {})).status;
    }

    const open = Object.keys(statuses).filter((route) => statuses[route] !== 403);
    expect(Object.keys(statuses).length).toBeGreaterThanOrEqual(5);
    expect(open.toSorted()).toEqual(FOR_SUPPORT.toSorted());
  });

  it('a route for operators names its role to support', async () => {
    const routes = [
      ['POST', '/console/api/delivery/retry', undefined],
      ['POST', '/console/api/dead-letters/redrive', { ids: [letter(1)] }],
      ['POST', '/console/api/dead-letters/discard', { ids: [letter(1)] }],
      ['GET', '/console/api/audit', undefined],
    ] as const;

    for (const [method, path, body] of routes) {
      const refused = await server.ask(method, path, SUPPORT, body);
      const allowed = await server.ask(method, path, OPERATOR, body);

      expect([path, refused.status, allowed.status]).toEqual([path, 403, 200]);
      expect(refused.headers.get('content-type')).toContain('application/problem+json');
      expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('role operator') });
    }
  });

  it('reads are open to support', async () => {
    const paths = ['find?q=x', 'issues', 'delivery', 'sessions'];

    const responses = await Promise.all(
      paths.map((path) => server.ask('GET', `/console/api/${path}`, SUPPORT)),
    );

    expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
  });

  it('a sign-in returns name and role', async () => {
    const cookie = await server.signIn(SUPPORT_TOKEN);

    expect(await server.read<SessionState>('/console/api/session', { cookie })).toEqual({
      signedIn: true,
      open: true,
      ways: ['token'],
      who: 'support',
      role: 'support',
    });
    expect(
      (await server.ask('POST', '/console/api/dead-letters/discard', { cookie }, { ids: [letter(1)] }))
        .status,
    ).toBe(403);
  });
});

describe('bearer tokens', () => {
  it('S7: count as failures while they are wrong', async () => {
    const responses = [];
    for (let guess = 0; guess < 12; guess += 1)
      responses.push(
        await server.ask('GET', '/console/api/issues', { bearer: `guess-number-${guess}-of-many` }),
      );

    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(Number(responses.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('S7: are right without limit only where they were right before', async () => {
    const issues = (bearer: string) => server.ask('GET', '/console/api/issues', { bearer });
    await issues(SUPPORT_TOKEN);
    for (let guess = 0; guess < 10; guess += 1) await issues(`guess-number-${guess}-of-many`);

    const statuses = [(await issues(SUPPORT_TOKEN)).status, (await issues(OPERATOR_TOKEN)).status];

    expect(statuses).toEqual([200, 429]);
  });

  it('never count as failures when they are right, even many at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => server.ask('GET', '/console/api/issues', SUPPORT)),
    );

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('the limit of sign-ins by token', () => {
  it('S7: counts failures only, and lets a success reset nothing', async () => {
    const tokens = [
      ...Array<string>(11).fill(SUPPORT_TOKEN),
      ...Array.from({ length: 5 }, (_, guess) => `guess-number-${guess}-of-many`),
      OPERATOR_TOKEN,
      ...Array.from({ length: 5 }, (_, guess) => `guess-number-${guess + 5}-of-many`),
      OPERATOR_TOKEN,
    ];

    const statuses = [];
    for (const token of tokens)
      statuses.push((await server.ask('POST', '/console/api/session', {}, { token })).status);

    expect(statuses).toEqual([
      ...Array<number>(11).fill(200),
      ...Array<number>(5).fill(401),
      200,
      ...Array<number>(5).fill(401),
      429,
    ]);
  });
});

it('counts sign-ins by outcome, and the refused tokens of API clients', async () => {
  await server.signIn(SUPPORT_TOKEN);
  await server.ask('GET', '/console/api/issues', SUPPORT);
  const wrong = await server.ask('POST', '/console/api/session', {}, { code: 'not-a-code' });
  for (let guess = 0; guess < 9; guess += 1)
    await server.ask('GET', '/console/api/issues', { bearer: `guess-number-${guess}` });
  await server.ask('GET', '/console/api/issues', { bearer: 'guess-number-10' });
  await server.signIn(SUPPORT_TOKEN);

  const text = await server.parts.options.metrics.registry.metrics();

  expect(wrong.status).toBe(401);
  expect(text.match(/(?<=errata_sign_in_total)\{.*/g)).toEqual([
    '{outcome="accepted"} 1',
    '{outcome="wrong"} 10',
    '{outcome="limited"} 2',
    '{outcome="no_access"} 0',
    '{outcome="failed"} 0',
  ]);
});

describe('guesses from many networks', () => {
  it('S7: stop neither sessions nor the sign-in of a network, until it has failed twice beyond their limit', async () => {
    const behindProxy = await ConsoleServer.start({ ERRATA_TRUST_PROXY: '127.0.0.1' });
    const post = (address: string, token: string) =>
      behindProxy.ask('POST', '/console/api/session', { address }, { token });
    const signIn = async (address: string, token: string) => (await post(address, token)).status;
    const cookie = cookieOf(await post('192.0.2.2', SUPPORT_TOKEN));

    const networks = Array.from({ length: 12 }, (_, host) => `198.51.100.${host}`);
    for (let guess = 0; guess < 5; guess += 1)
      await Promise.all(networks.map((address) => signIn(address, `guess-${guess}-of-${address}`)));
    const statuses = [
      await signIn('198.51.100.1', 'mistyped'),
      await signIn('198.51.100.1', 'mistyped again'),
      await signIn('198.51.100.1', OPERATOR_TOKEN),
      (await behindProxy.ask('GET', '/console/api/issues', { address: '198.51.100.1', cookie })).status,
      await signIn('192.0.2.1', OPERATOR_TOKEN),
    ];

    expect(statuses).toEqual([401, 401, 429, 200, 200]);
    await behindProxy.close();
  });
});

describe('sessions', () => {
  it('S6: are new at each sign-in, and the one before is worth nothing', async () => {
    const planted = await server.signIn(SUPPORT_TOKEN);

    const cookie = await server.signIn(OPERATOR_TOKEN, planted);

    expect(cookie).not.toBe(planted);
    expect((await server.ask('GET', '/console/api/issues', { cookie: planted })).status).toBe(401);
    expect((await server.ask('GET', '/console/api/issues', { cookie })).status).toBe(200);
  });

  it('are worth nothing after the sign-out', async () => {
    const cookie = await server.signIn(OPERATOR_TOKEN);

    await server.ask('DELETE', '/console/api/session', { cookie });

    expect((await server.ask('GET', '/console/api/issues', { cookie })).status).toBe(401);
  });

  it('are all listed and revoked by operators', async () => {
    const cookie = await server.signIn(SUPPORT_TOKEN);
    const { sessions } = await server.read<SessionList>('/console/api/sessions', OPERATOR);
    const [session] = sessions;

    const revoked = await server.ask('DELETE', `/console/api/sessions/${session?.id}`, OPERATOR);

    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        who: 'support',
        role: 'support',
        way: 'token',
        created: expect.any(String),
        lastSeen: expect.any(String),
        own: false,
      },
    ]);
    expect(revoked.status).toBe(204);
    expect((await server.ask('GET', '/console/api/issues', { cookie })).status).toBe(401);
  });

  it('of others are neither seen nor ended by support, which ends its own', async () => {
    await server.signIn(OPERATOR_TOKEN);
    await server.signIn(SUPPORT_TOKEN);
    const cookie = await server.signIn(SUPPORT_TOKEN);
    const all = (await server.read<SessionList>('/console/api/sessions', OPERATOR)).sessions;
    const seen = (await server.read<SessionList>('/console/api/sessions', { cookie })).sessions;
    const own = seen[0]?.id;
    const others = all.filter(({ id }) => id !== own);

    const refused = await Promise.all(
      others.map(({ id }) => server.ask('DELETE', `/console/api/sessions/${id}`, { cookie })),
    );
    const ended = await server.ask('DELETE', `/console/api/sessions/${own}`, { cookie });

    expect(all).toHaveLength(3);
    expect(seen.map((session) => session.own)).toEqual([true]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404]);
    expect(ended.status).toBe(204);
    expect((await server.ask('GET', '/console/api/issues', { cookie })).status).toBe(401);
  });

  it('are not revoked from another site', async () => {
    await server.signIn(SUPPORT_TOKEN);
    const [session] = (await server.read<SessionList>('/console/api/sessions', OPERATOR)).sessions;

    const response = await fetch(`${server.url}/console/api/sessions/${session?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'sec-fetch-site': 'cross-site' },
    });

    expect(response.status).toBe(403);
    expect((await server.read<SessionList>('/console/api/sessions', OPERATOR)).sessions).toHaveLength(1);
  });
});
