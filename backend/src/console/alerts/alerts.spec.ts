import { AlertChannel, type AlertTransport } from '../../alerts/alert-channel.ts';
import { Receiver } from '../../alerts/receiver.fixture.ts';
import type { AuditList } from '../../contract/access-api.ts';
import type { AlertState } from '../../contract/alerts-api.ts';
import { STORE_BIT } from '../../sink/queued-envelope.ts';
import { EVERY_ALERT } from '../../store/test/alert-options.fixture.ts';
import { envelopeOf, eventIdOf, serverEvent } from '../../store/test/envelopes.fixture.ts';
import { createLog } from '../../telemetry/log.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import { type Client, ConsoleServer, OPERATOR_TOKEN, SUPPORT_TOKEN } from '../console-server.fixture.ts';
import { AlertReport } from './alert-report.ts';

const OPERATOR = { bearer: OPERATOR_TOKEN };
const SUPPORT = { bearer: SUPPORT_TOKEN };
const PATH = '/console/api/alerts';
/** The parts of the settings that only their services may see. */
const SECRETS = {
  path: 'k3m9q1w7x5r8t2y6z4abcdefgh',
  query: 'q-7f3a9c1e5b',
  user: 'user-5d8e2f',
  password: 'p@ss-4b6c8d',
  key: Buffer.from('a-secret-of-the-receiver').toString('base64'),
  port: 'T0451-B9982-x7',
  proxy: 'proxy-pass-3e9a',
};

let receiver: Receiver;
let server: ConsoleServer;
let lines: string[];
beforeEach(async () => {
  receiver = await Receiver.start();
  lines = [];
});
afterEach(async () => {
  await server.close();
  await receiver.stop();
});

async function start(targets: string, environment: Readonly<Record<string, string>> = {}): Promise<void> {
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const host = `127.0.0.1:${receiver.port}`;
  server = await ConsoleServer.start(
    { ERRATA_ALERTS: targets.replaceAll('HOST', host), ...environment },
    log,
  );
}

/** Stores a new error, and has its alerts sent. */
async function alert(number: number): Promise<void> {
  const payload = serverEvent(number, 'orders/load');
  const { id: _, gzipped: __, monotonicAtMs: ___, ...envelope } = envelopeOf([{ type: 'event', payload }]);
  const facts = { eventId: eventIdOf(number), receivedAtMs: Date.now() };
  await server.parts.spool.append({ ...envelope, ...facts, pending: STORE_BIT });
  while ((await server.parts.store.ask('event', eventIdOf(number))) === undefined);
  await Promise.all(server.parts.alerts.map((sender) => sender.run()));
}

const state = (as: Client = OPERATOR) => server.read<AlertState>(PATH, as);

async function test(as: Client = OPERATOR, index = 0): Promise<Response> {
  const { targets } = await state();
  return server.ask('POST', `${PATH}/${targets[index]?.id}/test`, as);
}

describe('GET /console/api/alerts', () => {
  it('has no target without the setting', async () => {
    await start('');

    expect(await state(SUPPORT)).toEqual({ targets: [], hasLinks: false });
  });

  it('names each target, its filter and its last message', async () => {
    await start('http://HOST/a private=on https://hooks.slack.com/services/T0/B0/x level=fatal', {
      ERRATA_PUBLIC_URL: 'https://errata.example',
    });
    const [before] = (await state()).targets;
    await alert(1);

    const { targets, hasLinks } = await state(SUPPORT);

    expect([before?.lastSent, hasLinks]).toEqual([null, true]);
    expect(targets).toEqual([
      {
        id: expect.stringMatching(/^[\da-f]{16}$/),
        name: `127.0.0.1:${receiver.port}`,
        filter: { on: null, kinds: null, environments: null, projects: null, level: 'error' },
        waiting: 0,
        lastSent: expect.stringMatching(/Z$/),
        failing: null,
      },
      expect.objectContaining({ name: 'Slack', filter: expect.objectContaining({ level: 'fatal' }) }),
    ]);
  });

  it('numbers the targets of a name', async () => {
    await start('http://HOST/a private=on http://HOST/b private=on');

    const host = `127.0.0.1:${receiver.port}`;
    expect((await state()).targets.map(({ name }) => name)).toEqual([host, `${host} 2`]);
  });
});

it.each([
  [404, 'no_service', {}, 'json', 'status_404'],
  [410, '', {}, 'json', 'status_410'],
  [429, 'slow down', { 'retry-after': '120' }, 'json', 'status_429'],
  [200, '<title>Sign in</title>', {}, 'discord', 'status_200'],
  [200, '<title>Sign in</title>', {}, 'json', null],
])('a receiver that answers %i %j: state and test', async (status, text, headers, service, reason) => {
  Object.assign(receiver, { status, text, headers });
  await start(`http://HOST/a private=on as=${service}`);

  await alert(1);
  const [target] = (await state()).targets;
  const result = await test();

  const isAccepted = reason === null;
  expect([target?.waiting, target?.lastSent === null]).toEqual([isAccepted ? 0 : 1, !isAccepted]);
  expect(target?.failing ?? null).toEqual(isAccepted ? null : { ...target?.failing, attempts: 1, reason });
  expect([result.status, await result.json()]).toEqual([
    200,
    { outcome: isAccepted ? 'accepted' : 'failed', reason, detail: text || null },
  ]);
});

describe('POST /console/api/alerts/:id/test', () => {
  it('sends a message past filter and limit, which says that links are missing', async () => {
    await start('http://HOST/a private=on on=regressed level=fatal max=1/d');

    const results = await Promise.all([test(), test()]);

    expect(results.map(({ status }) => status)).toEqual([200, 200]);
    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject(
      Array.from({ length: 2 }, () => ({
        type: 'test',
        data: { text: expect.stringContaining('ERRATA_PUBLIC_URL'), link: null },
      })),
    );
    expect((await state()).targets[0]?.lastSent).toBeNull();
  });

  it('links to the page that shows the targets', async () => {
    await start('http://HOST/a private=on as=slack', { ERRATA_PUBLIC_URL: 'https://errata.example' });

    await test();

    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      text: 'Test: messages of Errata reach this target.\nhttps://errata.example/console/delivery',
    });
  });

  it('is for operators, has an entry in the audit log, and needs a target of the settings', async () => {
    await start('http://HOST/a private=on');

    const refused = [
      await test(SUPPORT),
      await server.ask('POST', `${PATH}/0123456789abcdef/test`, OPERATOR),
    ];
    const before = receiver.received.length;
    await test();
    const { entries } = await server.read<AuditList>('/console/api/audit', OPERATOR);

    expect(refused.map(({ status }) => status)).toEqual([403, 404]);
    expect(before).toBe(0);
    expect(entries).toMatchObject([
      { action: 'test_alert', role: 'operator', target: `127.0.0.1:${receiver.port}` },
    ]);
  });

  it('asks for an answer in less than 10 s', async () => {
    const timeouts: number[] = [];
    const silent: AlertTransport = {
      send: (_message, _nowMs, timeoutMs) => {
        timeouts.push(timeoutMs);
        return Promise.resolve({ isAccepted: false, reason: 'timeout', detail: null, retryAfterMs: null });
      },
      close: () => Promise.resolve(),
    };
    await start('');
    const options = { log: createLog('silent'), metrics: new Metrics() };
    const channel = new AlertChannel(silent, { id: 'a', name: 'a', filter: EVERY_ALERT, ...options });

    const result = await new AlertReport(server.parts.store, [channel], null).test(channel);

    expect(result).toEqual({ outcome: 'failed', reason: 'timeout', detail: null });
    expect(Math.max(...timeouts)).toBeLessThan(10_000);
  });
});

it('keeps the secrets of failing targets out of log, metrics, API and audit log', async () => {
  const { path, query, user, password, key, port, proxy } = SECRETS;
  receiver.status = 500;
  receiver.text = 'no route for {path}';
  const targets = [
    `http://HOST/hooks/${path}`,
    `http://${user}:${encodeURIComponent(password)}@HOST/a?token=${query} secret=whsec_${key}`,
    `http://HOST/services/${port} as=slack`,
  ];
  await start(targets.map((target) => `${target} private=on`).join(' '), {
    HTTP_PROXY: `http://me:${proxy}@127.0.0.1:9`,
    NO_PROXY: '127.0.0.1',
  });
  await alert(1);

  const results = await Promise.all(targets.map((_, index) => test(OPERATOR, index)));
  const texts = await Promise.all(results.map((result) => result.text()));
  texts.push(JSON.stringify(await state()), await server.parts.options.metrics.registry.metrics());
  texts.push(JSON.stringify(await server.read('/console/api/audit', OPERATOR)), ...lines);

  expect(texts.filter((text) => text.includes('status_500')).length).toBeGreaterThan(6);
  const seen = [...Object.values(SECRETS), encodeURIComponent(password)];
  expect(seen.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
});
