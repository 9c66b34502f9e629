import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { NodeSqliteDialect } from '../db/sqlite/node-sqlite-dialect.ts';
import type { StoreTables } from '../db/schema.ts';
import { eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from '../test/envelopes.fixture.ts';
import { StoresUnderTest } from '../test/store-under-test.fixture.ts';
import { findIds } from './find-ids.ts';

const LIMITS = { stepRows: 2, maxRows: 1_000, maxMs: 1_000 };

/** A candidate that the events with these numbers have. */
const order = (number: number) => ({ as: 'tag', value: `order-${number}` }) as const;

describe('a scan for ids', () => {
  const stores = new StoresUnderTest(() => {
    const db = new Kysely<StoreTables>({ dialect: new NodeSqliteDialect(new DatabaseSync(':memory:')) });
    return Promise.resolve(() => ({ db, flavor: 'sqlite' }));
  });
  afterEach(() => stores.close());

  /** Stores ten events, one each millisecond, each with its number in a tag. */
  async function tenEvents() {
    const store = await stores.open();
    for (let number = 1; number <= 10; number += 1) {
      const body = serverEvent(number, 'a/b', {
        tags: { order: `order-${number}`, shelf: `shelf-${number % 5}` },
      });
      await store.ingest([eventEnvelope(body, { receivedAtMs: RECEIVED_MS + number })]);
    }
    const context = { db: store.db, flavor: 'sqlite', now: () => 0 } as const;
    return { store, context };
  }
  const arrivalOf = (number: number): string => new Date(RECEIVED_MS + number).toISOString();

  it('ends with the step of the first match, and says how far back it has read', async () => {
    const { context } = await tenEvents();

    const { candidate, events, searched } = await findIds(context, [order(6)], LIMITS);

    expect([candidate, events.map((event) => event.event_id)]).toEqual([order(6), [eventIdOf(6)]]);
    expect(searched).toEqual({ events: 6, since: arrivalOf(5), isAll: false });
  });

  it('ends with the first candidate of a step, in their order', async () => {
    const { context } = await tenEvents();

    const { candidate } = await findIds(context, [order(1), order(5), order(6)], LIMITS);

    expect(candidate).toEqual(order(5));
  });

  it('has all events of the step, the newest first', async () => {
    const { context } = await tenEvents();

    const { events } = await findIds(context, [{ as: 'tag', value: 'SHELF-3' }], { ...LIMITS, stepRows: 50 });

    expect(events.map((event) => event.event_id)).toEqual([eventIdOf(8), eventIdOf(3)]);
  });

  it('ends with the last event', async () => {
    const { context } = await tenEvents();

    const { candidate, searched } = await findIds(context, [order(11)], LIMITS);

    expect([candidate, searched]).toEqual([null, { events: 10, since: arrivalOf(1), isAll: true }]);
  });

  it('ends after so many rows', async () => {
    const { context } = await tenEvents();

    const { candidate, searched } = await findIds(context, [order(1)], { ...LIMITS, maxRows: 4 });

    expect([candidate, searched]).toEqual([null, { events: 4, since: arrivalOf(7), isAll: false }]);
  });

  it('ends after so many ms', async () => {
    const { context } = await tenEvents();
    let nowMs = 0;
    const now = () => (nowMs += 400);

    const { candidate, searched } = await findIds({ ...context, now }, [order(1)], LIMITS);

    expect([candidate, searched]).toEqual([null, { events: 6, since: arrivalOf(5), isAll: false }]);
  });

  it('leaves room for other reads between its steps', async () => {
    const { store, context } = await tenEvents();
    const ended: string[] = [];

    const scan = findIds(context, [order(1)], LIMITS).then(() => ended.push('scan'));
    const look = setImmediate()
      .then(() => store.ask('event', eventIdOf(1)))
      .then(() => ended.push('look-up'));
    await Promise.all([scan, look]);

    expect(ended).toEqual(['look-up', 'scan']);
  });
});
