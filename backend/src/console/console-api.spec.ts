import type { AuditList } from '../contract/access-api.ts';
import type { DeliveryState } from '../contract/delivery-api.ts';
import type { Trend } from '../contract/trend-api.ts';
import type { EventList } from '../contract/event-api.ts';
import type { IssueList } from '../contract/issues-api.ts';
import { NO_SENDER, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { newEnvelope } from '../spool/spool.fixture.ts';
import { envelopeOf, eventIdOf, serverEvent } from '../store/test/envelopes.fixture.ts';
import { DAY_MS, isoTime } from '../time/iso.ts';
import { deadLetterId } from './delivery/dead-letter-id.ts';
import { type Client, ConsoleServer, OPERATOR_TOKEN, SUPPORT_TOKEN } from './console-server.fixture.ts';

const OPERATOR = { bearer: OPERATOR_TOKEN };

let server: ConsoleServer;
beforeEach(async () => {
  server = await ConsoleServer.start();
});
afterEach(() => server.close());

it('says that the store is away, and when to ask again', async () => {
  await server.parts.store.close();

  const response = await server.ask('GET', '/console/api/issues', OPERATOR);

  expect([response.status, response.headers.get('retry-after')]).toEqual([
    503,
    expect.stringMatching(/^([5-9]|10)$/),
  ]);
  expect(await response.json()).not.toHaveProperty('digest');
});

it('leaves the dead letter of another process alone', async () => {
  const other = deadLetterId(7, server.parts.spool.identity + 1);
  const path = '/console/api/dead-letters';

  const responses = await Promise.all([
    server.ask('GET', `${path}/${other}`, OPERATOR),
    server.ask('GET', `${path}?cursor=${other}`, OPERATOR),
    server.ask('POST', `${path}/redrive`, OPERATOR, { ids: [other] }),
    server.ask('POST', `${path}/discard`, OPERATOR, { ids: [other] }),
  ]);

  expect(responses.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  expect(await responses[3].json()).toMatchObject({
    detail: expect.stringContaining('is on another replica'),
  });
});

it('shows the first bytes of a malformed body, and its sender', async () => {
  const { spool } = server.parts;
  const sender = { ...NO_SENDER, origin: 'https://shop.example', userAgent: 'Agent/1.0' };
  const project = 'https://key@errata.invalid/1';
  spool.keepMalformed({ project, receivedAtMs: 0, sender, body: Buffer.from('<html>'), detail: 'no JSON' });
  await spool.flush();

  const letter = await server.read(`/console/api/dead-letters/${deadLetterId(1, spool.identity)}`, OPERATOR);

  expect(letter).toMatchObject({ detail: 'no JSON', items: [], beginning: '<html>', unread: null });
  expect(letter).toMatchObject({ origin: 'https://shop.example', userAgent: 'Agent/1.0' });
});

it('tries failing destinations for signed-in operators, with an entry in the audit log', async () => {
  const path = '/console/api/delivery/retry';

  const responses = await Promise.all([server.ask('POST', path), server.ask('POST', path, OPERATOR)]);

  const { entries } = await server.read<AuditList>('/console/api/audit', OPERATOR);
  expect(responses.map(({ status }) => status)).toEqual([401, 200]);
  expect(await responses[1].json()).toEqual({ retried: 0 });
  expect(entries).toMatchObject([{ action: 'retry', role: 'operator', target: null }]);
});

it('counts a malformed body as a dead letter, and not as a refused envelope', async () => {
  const [{ project }] = server.parts.projects;
  const body = `{"dsn":"${project}"}\n{`;
  const response = await fetch(`${server.url}/tunnel`, { method: 'POST', body });
  await server.parts.spool.flush();

  const state = await server.read<DeliveryState>('/console/api/delivery', OPERATOR);

  expect(response.status).toBe(400);
  expect(state).toMatchObject({ deadLetters: 1, deadLettered: 0 });
});

it('names rejected DSNs and origins with count and last time, and not the whole key', async () => {
  const dsn = 'https://0123456789abcdef@sentry.example/7';
  const post = (path: string, header: object, headers: Record<string, string>) =>
    fetch(server.url + path, { method: 'POST', headers, body: `${JSON.stringify(header)}\n` });
  await post('/tunnel', { dsn: 'not a dsn' }, {});
  await post('/tunnel', {}, {});
  await post('/api/7/envelope/?sentry_key=0123456789abcdef', {}, {});
  await post('/tunnel', { dsn }, { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' });
  await post('/tunnel', { dsn }, { origin: server.url });
  await post('/tunnel', { dsn }, { origin: server.url });

  const { rejectedDsns } = (await (
    await server.ask('GET', '/console/api/delivery', OPERATOR)
  ).json()) as DeliveryState;

  expect(rejectedDsns.map(({ last, ...row }) => [row, Number.isNaN(Date.parse(last))])).toEqual(
    [
      {
        dsn: 'https://01234567…@sentry.example/7',
        origin: server.url,
        reason: 'not_allowed',
        count: 2,
      },
      { dsn: null, origin: 'https://shop.example', reason: 'cross_site', count: 1 },
      { dsn: 'key 01234567…, project 7', origin: null, reason: 'not_allowed', count: 1 },
      { dsn: null, origin: null, reason: 'not_allowed', count: 1 },
    ].map((row) => [row, false]),
  );
});

it('names a removed DSN with its envelopes until an operator discards them', async () => {
  await server.close();
  const present = 'http://new@127.0.0.1:9/42';
  server = await ConsoleServer.start({ SENTRY_DSN: present });
  const project = 'https://old@sentry.example/42';
  const waiting = { project, receivedAtMs: Date.now(), pending: UPSTREAM_BIT };
  const expires = isoTime(waiting.receivedAtMs + 7 * DAY_MS);
  for (let count = 0; count < 180; count += 1)
    await server.parts.spool.append(newEnvelope(`{"type":"event"}\n{"n":${count}}`, waiting));
  await server.parts.spool.append(newEnvelope('{"type":"event"}\n{}', { ...waiting, project: present }));
  const state = () => server.read<DeliveryState>('/console/api/delivery', OPERATOR);
  const discard = (dsn: string, as: Client = OPERATOR) =>
    server.ask('POST', '/console/api/delivery/discard', as, { project: dsn });

  const before = await state();
  const refused = await Promise.all([
    discard(project, { bearer: SUPPORT_TOKEN }),
    discard(present),
    server.ask('POST', '/console/api/delivery/discard', OPERATOR, {}),
  ]);
  const discarded = await discard(project);
  const after = await state();
  const { entries } = await server.read<AuditList>('/console/api/audit', OPERATOR);

  expect(before.stranded).toEqual([{ project, queued: 180, expires }]);
  expect(refused.map(({ status }) => status)).toEqual([403, 404, 400]);
  expect(await discarded.json()).toEqual({ done: 180 });
  expect(after).toMatchObject({ stranded: [], accepted: 181, dropped: 180, queued: 1, missing: 0 });
  expect(entries.filter(({ action }) => action !== 'read')).toMatchObject([
    { action: 'discard_waiting', target: 'sentry.example/42 old', detail: '180 envelopes' },
  ]);
  expect((await discard(project)).status).toBe(404);
});

it('names three rejected DSNs of one network, whatever its addresses', async () => {
  await server.close();
  server = await ConsoleServer.start({ ERRATA_TRUST_PROXY: '127.0.0.0/8' });
  const post = (address: string, name: string) =>
    fetch(`${server.url}/tunnel`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: `{"dsn":"https://0123456789abcdef@${name}/7"}\n`,
    });
  await post('198.51.100.9', 'old.example');
  for (const made of [1, 2, 3, 4]) await post(`2001:db8:1:${made}::1`, `made-up-${made}.example`);

  const { rejectedDsns } = await server.read<DeliveryState>('/console/api/delivery', OPERATOR);

  const names = rejectedDsns.map(({ dsn }) => /@(.*)\.example/.exec(dsn ?? '')?.[1]);
  expect(names).toEqual(['made-up-4', 'made-up-3', 'made-up-2', 'old']);
});

it('names the process only where there are several', async () => {
  const response = await server.ask('GET', '/console/api/delivery', OPERATOR);

  expect(await response.json()).toHaveProperty('process', null);
});

it('has the queue and the deliveries of each minute since its start', async () => {
  const { history } = await server.read<DeliveryState>('/console/api/delivery', OPERATOR);

  expect(history.minutes.slice(-2)).toEqual([null, { queued: 0, accepted: 0, delivered: 0 }]);
});

it('keeps its answers out of all caches', async () => {
  const paths = ['issues', 'session', 'delivery', 'openapi.json', 'oidc/start'];

  const responses = await Promise.all(
    paths.map((path) => server.ask('GET', `/console/api/${path}`, OPERATOR)),
  );

  expect(responses.map(({ headers }) => headers.get('cache-control'))).toEqual(paths.map(() => 'no-store'));
});

it('counts the issues of a list, over all of its pages', async () => {
  const paths = Array.from(
    { length: 52 },
    (_, index) => `orders/load-${'abcdefghijklmnopqrstuvwxyz'[index % 26]}${index < 26 ? 'a' : 'b'}`,
  );
  const events = paths.map((path, index) =>
    envelopeOf([{ type: 'event', payload: serverEvent(index + 1, path) }]),
  );
  await server.parts.store.ingest(events);
  const list = async (query: string) =>
    (await (await server.ask('GET', `/console/api/issues?${query}`, OPERATOR)).json()) as IssueList;

  const first = await list('');
  const second = await list(`cursor=${first.next}`);
  const one = await list('q=load-ca');
  const unknown = await list('q=load-ca+priority:high');

  expect([first.issues.length, first.total]).toEqual([50, 52]);
  expect([second.issues.length, second.total]).toEqual([2, 52]);
  expect([one.issues.length, one.total]).toEqual([1, 1]);
  expect([unknown.total, unknown.unknownWords?.unknown]).toEqual([0, ['priority:']]);
});

it('lists the events of one user of an issue', async () => {
  const of = (number: number, id: string) =>
    envelopeOf([{ type: 'event', payload: serverEvent(number, 'a/b', { user: { id } }) }]);
  await server.parts.store.ingest([of(1, 'ann'), of(2, 'ben')]);
  const path = `/console/api/issues/${eventIdOf(1)}/events`;

  const all = await server.read<EventList>(`${path}?q=`, OPERATOR);
  const anns = await server.read<EventList>(`${path}?q=user:ann+cart+level:fatal`, OPERATOR);
  const two = await server.ask('GET', `${path}?q=user:ann&q=user:ben`, OPERATOR);

  expect(all.events).toHaveLength(2);
  expect(anns).toMatchObject({ events: [{ eventId: eventIdOf(1), user: 'ann' }], next: null });
  expect(anns.unknownWords?.unknown).toEqual(['cart', 'level:']);
  expect([two.status, await two.json()]).toMatchObject([400, { detail: 'Invalid query parameter: q.' }]);
});

it('has the trend of one project', async () => {
  await server.parts.store.ingest([envelopeOf([{ type: 'event', payload: serverEvent(1) }])]);
  const path = '/console/api/trend';

  const all = await server.read<Trend>(path, OPERATOR);
  const other = await server.read<Trend>(`${path}?project=https://unknown@errors.example/3`, OPERATOR);
  const two = await server.ask('GET', `${path}?project=a&project=b`, OPERATOR);

  expect([all, other].map(({ releases }) => releases.map(({ name }) => name))).toEqual([['shop@1.0.0'], []]);
  expect(two.status).toBe(400);
});
