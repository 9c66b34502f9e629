import type { AuditEntry, AuditList } from '../../contract/access-api.ts';
import type { IssueList } from '../../contract/issues-api.ts';
import type { EventStore } from '../../store/event-store.ts';
import { envelopeOf, serverEvent } from '../../store/test/envelopes.fixture.ts';
import { createLog } from '../../telemetry/log.ts';
import { DAY_MS } from '../../time/iso.ts';
import { ConsoleServer, OPERATOR_TOKEN, SUPPORT_TOKEN } from '../console-server.fixture.ts';
import { deadLetterId } from '../delivery/dead-letter-id.ts';
import { Audit } from './audit.ts';

const OPERATOR = { bearer: OPERATOR_TOKEN };
const SUPPORT = { bearer: SUPPORT_TOKEN };
const ANN = { who: 'ann', role: 'support', session: null } as const;

/** Lists the targets of entries, sorted: the entries of one bulk action have no order. */
function targetsOf(entries: readonly AuditEntry[]): readonly string[] {
  return entries.map(({ target }) => target ?? '').toSorted();
}

/** Stores the targets of entries, or is unavailable. */
class FakeStore {
  readonly targets: unknown[] = [];
  readonly who: unknown[] = [];
  isUnavailable = false;

  ask(_: string, { target, who }: { readonly target: unknown; readonly who: unknown }): Promise<void> {
    if (this.isUnavailable) return Promise.reject(new Error('unavailable'));
    this.targets.push(target);
    this.who.push(who);
    return Promise.resolve();
  }
}

it('writes the entry of a repeated read whose first entry failed', async () => {
  const store = new FakeStore();
  const audit = new Audit(store as unknown as EventStore, createLog('silent'), () => 0);

  store.isUnavailable = true;
  audit.hasRead(ANN, { action: 'find', target: 'ann@example.org' });
  await new Promise(setImmediate);
  store.isUnavailable = false;
  audit.hasRead(ANN, { action: 'find', target: 'ann@example.org' });
  audit.hasRead(ANN, { action: 'find', target: 'ann@example.org' });

  expect(store.targets).toEqual(['ann@example.org']);
});

it('writes one entry of a polled read, until a minute has passed without a call', () => {
  const store = new FakeStore();
  let nowMs = 0;
  const audit = new Audit(store as unknown as EventStore, createLog('silent'), () => nowMs);

  for (nowMs of [0, 40_000, 80_000, 120_000, 180_000])
    audit.hasRead(ANN, { action: 'read', target: 'live events' }, true);

  expect(store.targets).toEqual(['live events', 'live events']);
});

it('writes one entry a day for a refused user, and a hundred a day at most', () => {
  const store = new FakeStore();
  let nowMs = 0;
  const audit = new Audit(store as unknown as EventStore, createLog('silent'), () => nowMs);

  for (let call = 0; call < 300; call += 1) audit.refused(`user ${Math.floor(call / 2)}`, 'not_listed');
  nowMs = DAY_MS;
  audit.refused('user 7', 'not_listed');

  expect(store.who).toEqual([...Array.from({ length: 100 }, (_, user) => `user ${user}`), 'user 7']);
});

describe('the audit log', () => {
  let server: ConsoleServer;
  beforeEach(async () => {
    server = await ConsoleServer.start();
  });
  afterEach(() => server.close());

  async function entries(): Promise<readonly AuditEntry[]> {
    return (await server.read<AuditList>('/console/api/audit', OPERATOR)).entries;
  }

  async function actions(): Promise<readonly string[]> {
    return (await entries()).map(({ who, action, target }) => [who, action, target ?? ''].join(' ').trim());
  }

  /** Id of a dead letter of this server. */
  function letter(number: number): string {
    return deadLetterId(number, server.parts.spool.identity);
  }

  /** Stores an event as the first one of its issue. */
  async function store(number: number, path: string): Promise<void> {
    const payload = serverEvent(number, path);
    await server.parts.store.ingest([envelopeOf([{ type: 'event', payload }])]);
  }

  it('lists reads and changes by user, newest first', async () => {
    const cookie = await server.signIn(SUPPORT_TOKEN);
    await server.ask('GET', '/console/api/find?q=7K3M-9QXD', { cookie });
    await server.ask('GET', '/console/api/issues/7K3M-9QXD', { cookie });
    await server.ask('GET', `/console/api/events/${'ab'.repeat(16)}`, { cookie });
    await server.ask('GET', `/console/api/dead-letters/${letter(4)}`, { cookie });
    await server.ask('POST', '/console/api/dead-letters/discard', OPERATOR, { ids: [letter(4), letter(5)] });
    await server.ask('DELETE', '/console/api/session', { cookie });

    expect(await actions()).toEqual([
      'support sign_out',
      `operator discard ${letter(4)} ${letter(5)}`,
      `support read dead letter ${letter(4)}`,
      `support read ${'ab'.repeat(16)}`,
      'support read 7K3M-9QXD',
      'support find 7K3M-9QXD',
      'support sign_in',
    ]);
  });

  it('lists searches of the issue list, reads of events, of feedback, of examples and of live events', async () => {
    await server.ask('GET', '/console/api/issues?q=user:bob@example.org', SUPPORT);
    await server.ask('GET', '/console/api/issues?q=&status=open', SUPPORT);
    await server.ask('GET', '/console/api/issues/7K3M-9QXD/events', SUPPORT);
    await server.ask('GET', '/console/api/feedback', SUPPORT);
    await server.ask('GET', '/console/api/find/examples', SUPPORT);
    await server.ask('HEAD', '/console/api/live', SUPPORT);

    expect(await actions()).toEqual([
      'support read live events',
      'support read examples',
      'support read feedback',
      'support read 7K3M-9QXD',
      'support find user:bob@example.org',
    ]);
  });

  it('names the target of the path, also when the query names another one', async () => {
    await server.ask('GET', '/console/api/issues/7K3M-9QXD?digest=AAAA-AAAA', SUPPORT);
    await server.ask('GET', '/console/api/dead-letters/none?id=4', SUPPORT);

    expect(await actions()).toEqual(['support read dead letter none', 'support read 7K3M-9QXD']);
  });

  it('writes one entry for repeated reads within a minute', async () => {
    for (let read = 0; read < 3; read += 1) await server.ask('GET', '/console/api/find?q=twice', SUPPORT);
    await server.ask('GET', '/console/api/find?q=twice', OPERATOR);

    expect(await actions()).toEqual(['operator find twice', 'support find twice']);
  });

  it('names each of many that were changed at once', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => letter(4_111_111 + index));
    await server.ask('POST', '/console/api/dead-letters/discard', OPERATOR, { ids });

    const written = (await actions()).toReversed();

    expect(written.length).toBeGreaterThan(1);
    expect(written.flatMap((entry) => entry.replace('operator discard ', '').split(' '))).toEqual(ids);
  });

  it('is paged', async () => {
    for (let read = 0; read < 60; read += 1) await server.ask('GET', `/console/api/find?q=n${read}`, SUPPORT);

    const first = await server.read<AuditList>('/console/api/audit', OPERATOR);
    const second = await server.read<AuditList>(`/console/api/audit?cursor=${first.next}`, OPERATOR);

    expect(first.entries).toHaveLength(50);
    expect(second.entries.map(({ target }) => target)).toEqual(
      Array.from({ length: 10 }, (_, index) => `n${9 - index}`),
    );
    expect(second.next).toBeNull();
  });

  it('has no entry for a rejected request', async () => {
    await server.ask('POST', '/console/api/dead-letters/discard', SUPPORT, { ids: [letter(4)] });
    await server.ask('GET', '/console/api/find?q=unknown', { bearer: 'not-a-token-of-ours' });

    expect(await actions()).toEqual([]);
  });

  it('names digest, project, old and new status of each issue of a bulk action, and no key', async () => {
    await store(1, 'orders/load');
    await store(2, 'orders/save');
    const { issues } = await server.read<IssueList>('/console/api/issues?sort=first', OPERATOR);
    const named = issues.map(({ key, project }) => ({ key, project }));
    const path = '/console/api/issues/status';

    await server.ask('POST', path, OPERATOR, { issues: named, status: 'ignored' });
    await server.ask('POST', path, OPERATOR, { issues: named, status: 'resolved', resolvedIn: '1.4.2' });
    await server.ask('POST', path, OPERATOR, { issues: named.slice(0, 1), status: 'open' });

    const [reopened, ...others] = await entries();
    const name = new URL(issues[0]?.project ?? '').host;
    const digests = issues.map(({ digest }) => digest).toSorted();
    expect(issues).toHaveLength(2);
    expect([reopened?.target, reopened?.detail]).toEqual([
      issues[0]?.digest,
      `resolved in 1.4.2 -> open, ${name}/1`,
    ]);
    expect(others.map(({ detail }) => detail)).toEqual([
      `ignored -> resolved in 1.4.2, ${name}/1`,
      `ignored -> resolved in 1.4.2, ${name}/1`,
      `open -> ignored, ${name}/1`,
      `open -> ignored, ${name}/1`,
    ]);
    expect(targetsOf(others.slice(0, 2))).toEqual(digests);
    expect(targetsOf(others.slice(2))).toEqual(digests);
  });

  it('returns no key of a project and no whole one of an issue, wherever a request had it', async () => {
    await store(1, 'orders/load');
    const { issues } = await server.read<IssueList>('/console/api/issues', OPERATOR);
    const { key = '', project = '', digest = '' } = issues[0] ?? {};
    const dsnKey = new URL(project).username;
    const query = new URLSearchParams({ q: `${project} ${key}` }).toString();

    await server.ask('GET', `/console/api/find?${query}`, OPERATOR);
    await server.ask('GET', `/console/api/issues/${key}`, OPERATOR);
    // Another issue of this digest would have such a key.
    await server.ask('GET', `/console/api/issues/${key.slice(0, 10)}${'0'.repeat(54)}`, OPERATOR);
    const note = `/console/api/issues/${digest}/notes?project=${encodeURIComponent(project)}`;
    await server.ask('POST', note, OPERATOR, { text: 'seen' });

    const text = JSON.stringify(await entries());
    expect(new Set(targetsOf(await entries())).size).toBe(4);
    expect(dsnKey).toMatch(/^\w{8,}$/);
    expect(text).not.toContain(dsnKey);
    expect(text).not.toMatch(/[\da-f]{64}/);
  });
});
