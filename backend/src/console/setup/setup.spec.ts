import type { AuditList } from '../../contract/access-api.ts';
import type { Setup } from '../../contract/setup-api.ts';
import { ConsoleServer, OPERATOR_TOKEN, SUPPORT_TOKEN } from '../console-server.fixture.ts';

const UPSTREAM = 'https://0123456789abcdef0123456789abcdef@sentry.example:8443/team/42';
const PATH = '/console/api/setup';
const OPERATOR = { bearer: OPERATOR_TOKEN };

let server: ConsoleServer;
const setupOf = async (as: { readonly bearer: string }): Promise<Setup> =>
  (await (await server.ask('GET', PATH, as)).json()) as Setup;

describe('the set-up of an application', () => {
  afterEach(() => server.close());

  it('has the DSNs of each project, the server’s with this host and another key', async () => {
    server = await ConsoleServer.start({ ERRATA_TUNNEL_DSNS: UPSTREAM, SENTRY_RELEASE: 'shop@4.2.0' });
    const [own, second] = server.parts.projects;

    const setup = await setupOf(OPERATOR);

    const host = server.url.replace('http://', '');
    expect(setup).toEqual({
      projects: [
        {
          project: own.project,
          browserDsn: own.project,
          serverDsn: `http://${own.serverKey}@${host}/1`,
        },
        { project: UPSTREAM, browserDsn: UPSTREAM, serverDsn: `http://${second?.serverKey}@${host}/42` },
      ],
      origin: server.url,
      tunnel: '/tunnel',
      release: 'shop@4.2.0',
    });
  });

  it('names the public URL where it is set', async () => {
    server = await ConsoleServer.start({ ERRATA_PUBLIC_URL: 'https://errata.example' });
    const [{ serverKey }] = server.parts.projects;

    const setup = await setupOf(OPERATOR);

    expect(setup).toMatchObject({
      origin: 'https://errata.example',
      projects: [{ serverDsn: `https://${serverKey}@errata.example/1` }],
      release: null,
    });
  });

  it('keeps the server key from support, and everything from others', async () => {
    server = await ConsoleServer.start();

    const response = await server.ask('GET', PATH, { bearer: SUPPORT_TOKEN });
    const refused = await server.ask('GET', PATH);

    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ projects: [{ serverDsn: null }] });
    expect(text).not.toContain(server.parts.projects[0].serverKey);
    expect(refused.status).toBe(401);
  });

  it('writes down who has seen the server key', async () => {
    server = await ConsoleServer.start();
    await setupOf({ bearer: SUPPORT_TOKEN });
    await setupOf(OPERATOR);

    const { entries } = await server.read<AuditList>('/console/api/audit', OPERATOR);

    expect(entries).toMatchObject([{ who: 'operator', action: 'read', target: 'server key' }]);
  });

  it('has the key that the tunnel accepts', async () => {
    server = await ConsoleServer.start();
    const { projects } = await setupOf(OPERATOR);
    const { origin, username, pathname } = new URL(projects[0]?.serverDsn ?? '');
    const post = (key: string) =>
      fetch(`${origin}/api${pathname}/store/?sentry_key=${key}`, {
        method: 'POST',
        body: '{"message":"one"}',
      });

    const statuses = [(await post(username)).status, (await post('f'.repeat(32))).status];

    expect(statuses).toEqual([200, 403]);
  });
});
