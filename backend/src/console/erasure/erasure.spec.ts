import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditList } from '../../contract/access-api.ts';
import type { Erasure } from '../../contract/erasure-api.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { envelopeOf, eventIdOf, PROJECT, serverEvent } from '../../store/test/envelopes.fixture.ts';
import { ConsoleServer, OPERATOR_TOKEN, SUPPORT_TOKEN } from '../console-server.fixture.ts';

const PATH = '/console/api/erasure';
const OPERATOR = { bearer: OPERATOR_TOKEN };

let server: ConsoleServer;
beforeEach(async () => {
  server = await ConsoleServer.start();
});
afterEach(() => server.close());

/** Stores an event whose envelope stays in the queue, because its upstream does not exist. */
async function take(number: number, user: string): Promise<void> {
  const payload = serverEvent(number, 'orders/load', {
    user: { email: user },
    transaction: `GET /of/${user}`,
  });
  const { id: _, gzipped: __, monotonicAtMs: ___, ...envelope } = envelopeOf([{ type: 'event', payload }]);
  const facts = { eventId: eventIdOf(number), receivedAtMs: Date.now() - 1_000 };
  await server.parts.spool.append({ ...envelope, ...facts, pending: UPSTREAM_BIT | STORE_BIT });
  while ((await server.parts.store.ask('event', eventIdOf(number))) === undefined);
}

function filesThatHold(text: string): readonly string[] {
  return readdirSync(server.dataDir)
    .filter((name) => name.includes('.db'))
    .filter((name) => readFileSync(join(server.dataDir, name)).includes(text));
}

describe('POST /console/api/erasure', () => {
  it('leaves nothing of a person in the raw files of store and spool, nor in the audit log', async () => {
    await take(1, 'ann@shop.example');
    await take(2, 'ben@shop.example');
    await server.ask('GET', '/console/api/find?q=user:ann@shop.example', OPERATOR);
    const before = filesThatHold('ann@shop.example');

    const response = await server.ask('POST', PATH, OPERATOR, { user: 'Ann@shop.example' });

    expect(await response.json()).toEqual({ events: 1, feedback: 0, spooled: 1 });
    expect(before).toEqual(expect.arrayContaining(['spool.db-wal', 'store.db-wal']));
    expect(filesThatHold('ann@shop.example')).toEqual([]);
    expect(filesThatHold('ben@shop.example').length).toBeGreaterThan(0);
    const log = await server.ask('GET', '/console/api/audit', OPERATOR);
    const { entries } = (await log.json()) as AuditList;
    expect(entries.map(({ who, action, target, detail }) => [who, action, target, detail])).toEqual([
      ['operator', 'erase', null, 'user'],
      ['operator', 'find', '[erased]', null],
    ]);
  });

  it('accepts an event id with hyphens, and names it in the audit log', async () => {
    await take(1, 'ann@shop.example');
    const id = eventIdOf(1)
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
      .toUpperCase();

    const response = await server.ask('POST', PATH, OPERATOR, { eventId: id });

    expect(await response.json()).toEqual({ events: 1, feedback: 0, spooled: 1 });
    expect((await server.parts.store.ask('audit', null, 1)).entries[0]?.target).toBe(eventIdOf(1));
  });

  it('takes a time', async () => {
    await take(1, 'ann@shop.example');
    const before = (ms: number): Erasure => ({ before: new Date(ms).toISOString() });

    const early = await server.ask('POST', PATH, OPERATOR, before(Date.now() - 60_000));
    const late = await server.ask('POST', PATH, OPERATOR, before(Date.now()));

    expect(await early.json()).toEqual({ events: 0, feedback: 0, spooled: 0 });
    expect(await late.json()).toEqual({ events: 1, feedback: 0, spooled: 1 });
  });

  it('counts the matches of each project, erases nothing of another one, and names the project in the log', async () => {
    await take(1, 'ann@shop.example');
    const ann = { user: 'Ann@shop.example' };

    const matches = await server.ask('POST', `${PATH}/matches`, OPERATOR, ann);
    const elsewhere = { ...ann, project: 'https://key@errors.example/9' };
    const response = await server.ask('POST', PATH, OPERATOR, elsewhere);

    expect(await matches.json()).toEqual({
      projects: [{ project: PROJECT, events: 1, feedback: 0, spooled: 1 }],
    });
    expect(await response.json()).toEqual({ events: 0, feedback: 0, spooled: 0 });
    expect(await server.parts.store.ask('event', eventIdOf(1))).toBeDefined();
    const { entries } = await server.parts.store.ask('audit', null, 10);
    expect(entries.map(({ action, target, detail }) => [action, target, detail])).toEqual([
      ['erase', null, 'user in errors.example/9'],
      ['find', null, 'to erase: user'],
    ]);
  });

  it('rejects a body of another form, and erases nothing', async () => {
    const bodies = [
      { project: PROJECT },
      { user: 'ann', project: '' },
      { user: 'ann', project: 'two words' },
      {},
      { user: '' },
      { user: '  ' },
      { user: 'x'.repeat(251) },
      { user: 'ann\0' },
      { eventId: 'not an id' },
      { before: 'yesterday' },
      { user: 'ann', eventId: eventIdOf(1) },
      ['ann'],
    ];
    await take(1, 'ann');

    const responses = await Promise.all(bodies.map((body) => server.ask('POST', PATH, OPERATOR, body)));

    expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 400));
    expect(await server.parts.store.ask('event', eventIdOf(1))).toBeDefined();
    expect((await server.parts.store.ask('audit', null, 1)).entries).toEqual([]);
  });

  it('is for operators', async () => {
    await take(1, 'ann');

    const response = await server.ask('POST', PATH, { bearer: SUPPORT_TOKEN }, { user: 'ann' });

    expect(response.status).toBe(403);
    expect(await server.parts.store.ask('event', eventIdOf(1))).toBeDefined();
  });
});
