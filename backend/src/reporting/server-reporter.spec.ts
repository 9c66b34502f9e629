import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTILE_VALUES } from '../digest/hostile-values.fixture.ts';
import { parseDsn } from '../envelope/dsn.ts';
import { newEventId } from '../envelope/event-id.ts';
import { findOversized } from '../envelope/item-limits.ts';
import { scanItems } from '../envelope/items.ts';
import { queued, openSpool } from '../spool/spool.fixture.ts';
import type { Spool } from '../spool/spool.ts';
import { createLog } from '../telemetry/log.ts';
import * as Sentry from '@sentry/nestjs';
import { ServerReporter } from './server-reporter.ts';

function reportOf(eventId: string) {
  return { eventId, digest: 'ABCD-1234', digestKey: 'a'.repeat(64), request: null };
}

/** Returns the events in the queue. */
async function reported(spool: Spool): Promise<unknown[]> {
  const items = (await queued(spool)).map((envelope) => Buffer.from(envelope.items).toString());
  return items.map((text) => JSON.parse(text.split('\n')[1] ?? ''));
}

describe('ServerReporter', () => {
  let directory: string;
  let spool: Spool;
  let reporter: ServerReporter;

  function openedReporter(): ServerReporter {
    const dsn = parseDsn('http://key@errata.example/1');
    if (dsn === undefined) throw new Error('no dsn');
    const options = { dsn, hasUpstream: false, release: '1', environment: 'test' };
    return new ServerReporter(spool, options, createLog('silent'));
  }

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-reporter-'));
    spool = await openSpool(directory, { maxBytes: 2 ** 25 });
    reporter = openedReporter();
  });

  afterEach(async () => {
    await reporter.close();
    await spool.close();
    rmSync(directory, { recursive: true });
  });

  it('leaves no listener at the process when it is closed', async () => {
    const before = process.listenerCount('beforeExit');

    await reporter.close();

    expect(process.listenerCount('beforeExit')).toBe(before - 1);
  });

  it('says when a report is on disk', async () => {
    const eventId = newEventId();
    await reporter.report(new Error('out of order'), reportOf(eventId));

    expect((await queued(spool)).map((envelope) => envelope.eventId)).toEqual([eventId]);
  });

  it('has the tags, the user and the request of a report, and cannot be given another digest', async () => {
    const tags = { job: 'export', 'errata.digest': 'WXYZ-9999' };
    await reporter.report(new Error('out of order'), {
      ...reportOf(newEventId()),
      request: { method: 'GET', path: '/export', route: null, requestId: 'r-7f3a91c2' },
      tags,
      user: { id: 7, email: 'ann@example.com' },
    });

    expect((await reported(spool))[0]).toMatchObject({
      tags: { job: 'export', 'errata.digest': 'ABCD-1234', request_id: 'r-7f3a91c2' },
      user: { id: 7, email: 'ann@example.com' },
    });
  });

  it('reports one error object each time it is thrown', async () => {
    const ids = [newEventId(), newEventId()];
    const error = new Error('thrown again');
    for (const eventId of ids) await reporter.report(error, reportOf(eventId));

    expect((await queued(spool)).map((envelope) => envelope.eventId)).toEqual(ids);
  });

  it('reports more failures at a time than the buffers of the SDK hold by default', async () => {
    const ids = Array.from({ length: 200 }, newEventId);
    await Promise.all(
      ids.map((eventId) => reporter.report(new Error(`failure ${eventId}`), reportOf(eventId))),
    );

    expect(new Set((await queued(spool)).map((envelope) => envelope.eventId))).toEqual(new Set(ids));
  });

  it('ends the wait for a report that the spool does not take', async () => {
    await spool.close();

    await expect(reporter.report(new Error('too late'), reportOf(newEventId()))).resolves.toBeUndefined();
  });

  it.each([...HOSTILE_VALUES, ['undefined', undefined, 'undefined'] as const])(
    'reports %s',
    async (_, thrown, message) => {
      const eventId = newEventId();
      await reporter.report(thrown, reportOf(eventId));

      const [{ exception }] = (await reported(spool)) as [Sentry.Event];
      expect(exception?.values?.map(({ type, value }) => `${type}: ${value}`).at(-1)).toContain(message);
    },
  );

  const long = 'h'.repeat(5_000_000);
  const deep = (depth: number): Error => new Error(long, depth === 0 ? {} : { cause: deep(depth - 1) });
  const changed = Object.assign(new Error(long), { message: 'short' });
  const wide = Object.assign(new Error('x'), {
    stack: `Error: x\n${`    at ${'語'.repeat(900)} (/srv/shop/a.js:1:1)\n`.repeat(50)}`,
  });
  const groups = new AggregateError([], 'all');
  groups.errors = Array.from({ length: 5_000 }, (_, at) => (at === 0 ? groups : wide));

  it.each([
    ['message', new Error(long)],
    ['text', long],
    ['message in its stack', changed],
    ['causes', deep(8)],
    ['name', Object.assign(new Error('x'), { name: long })],
    ['groups', groups],
    ['property', { order: long, below: { text: long } }],
    ['list', [long]],
    [
      'names of properties',
      Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [long.slice(0, 999) + at, at])),
    ],
  ])('cuts a report below the limit of an event: the %s', async (_, thrown) => {
    await reporter.report(thrown, reportOf(newEventId()));

    const [envelope] = await queued(spool);
    const items = scanItems(envelope?.items ?? Buffer.alloc(0), 0);
    if (items.outcome !== 'ok') throw new Error(items.outcome);
    expect(findOversized(items.items)).toBeUndefined();
    const [{ exception, tags }] = (await reported(spool)) as [Sentry.Event];
    expect(tags).toMatchObject({ 'errata.digest': 'ABCD-1234' });
    expect(exception?.values?.at(-1)?.value?.length).toBeLessThan(8_200);
    expect(exception?.values?.at(-1)?.stacktrace?.frames?.length).toBeGreaterThan(3);
  });

  describe('beside the Sentry client of the application', () => {
    let theirs: Sentry.Event[];
    let client: Sentry.NodeClient | undefined;

    beforeEach(() => {
      theirs = [];
      client = Sentry.init({
        dsn: 'http://theirs@sentry.example/2',
        defaultIntegrations: false,
        enableRuntimeChannelInjection: false,
        beforeSend: (event) => {
          theirs.push(event);
          return null;
        },
      });
    });

    afterEach(() => client?.close());

    it('leaves the client, the last event and the async context of the process alone', async () => {
      await Sentry.withIsolationScope(async (scope) => {
        const other = openedReporter();
        await other.report(new Error('ours'), reportOf(newEventId()));
        await other.close();

        expect(Sentry.getClient()).toBe(client);
        expect(Sentry.getIsolationScope()).toBe(scope);
        expect(Sentry.lastEventId()).toBeUndefined();
      });
    });

    it('leaves an error to their client, before and after', async () => {
      const [first, second] = [new Error('theirs first'), new Error('ours first')];
      Sentry.captureException(first);
      for (const error of [first, second]) await reporter.report(error, reportOf(newEventId()));
      for (const error of [first, second]) Sentry.captureException(error);
      await client?.flush(1_000);

      expect(theirs.map(({ exception }) => exception?.values?.[0]?.value)).toEqual([
        'theirs first',
        'ours first',
      ]);
      expect(await queued(spool)).toHaveLength(2);
    });

    it('reports none of the data of their scopes', async () => {
      await Sentry.withIsolationScope(async (isolationScope) => {
        for (const scope of [Sentry.getGlobalScope(), isolationScope, Sentry.getCurrentScope()]) {
          scope.setUser({ email: 'customer' }).setTag('customer', '1').setExtra('customer', '1');
          scope.setContext('customer', { id: 1 }).addBreadcrumb({ message: 'customer' });
          scope.setFingerprint(['customer']).setTransactionName('customer');
        }
        await reporter.report(new Error('ours'), reportOf(newEventId()));
      });

      const [envelope] = await queued(spool);
      const text = Buffer.from(envelope?.items ?? []).toString();
      expect(text).toContain('ours');
      expect(text).not.toContain('customer"');
    });
  });
});
