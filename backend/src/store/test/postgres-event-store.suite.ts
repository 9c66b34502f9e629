import { sql } from 'kysely';
import {
  DELIVERED,
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  FAILED,
  RECEIVED_MS,
  serverEvent,
  UNREACHABLE,
} from './envelopes.fixture.ts';
import { describeEventStore } from './event-store.suite.ts';
import { StoresUnderTest } from './store-under-test.fixture.ts';
import { describeErasureLocks } from './erasure-locks.suite.ts';
import { openPostgres } from '../db/postgres/open-postgres.ts';
import { type PostgresPackage, type PostgresServer, startPostgres } from './postgres-server.fixture.ts';

/** Setting up a server takes two to ten seconds, as the machine is busy. */
const START_TIMEOUT_MS = 60_000;

/** What the store must do on PostgreSQL, and with replicas that share it. */
export function describeOnPostgres(name: string, postgres: PostgresPackage): void {
  describe(`the store on ${name}`, () => {
    let server: PostgresServer;
    let databases = 0;
    beforeAll(async () => {
      server = await startPostgres(postgres);
    }, START_TIMEOUT_MS);
    afterAll(() => server.remove());

    async function newData() {
      databases += 1;
      const url = await server.createDatabase(`store_${databases}`);
      return () => openPostgres(url);
    }

    describeEventStore(newData);
    describeErasureLocks(newData);

    it('commits durably with any default of the database', async () => {
      const url = await server.createDatabase('careless');
      const { db } = openPostgres(url);
      await sql`alter database careless set synchronous_commit = off`.execute(db);
      await db.destroy();

      const again = openPostgres(url);
      const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(again.db);
      await again.db.destroy();

      expect(rows).toEqual([{ synchronous_commit: 'on' }]);
    });

    describe('shared by replicas', () => {
      const stores = new StoresUnderTest(newData);
      afterEach(() => stores.close());

      it('counts an event once that both store at the same time, in another order', async () => {
        const [one, other] = [await stores.open(), await stores.open()];
        await one.ask('ownProjectKey');
        const envelopes = Array.from({ length: 60 }, (_, index) =>
          eventEnvelope(serverEvent(index + 1, `fault/${String.fromCharCode(97 + (index % 6))}`)),
        );

        const settled = await Promise.all([one.ingest(envelopes), other.ingest(envelopes.toReversed())]);

        expect(settled.flat().filter(({ outcome }) => outcome !== 'delivered')).toEqual([]);
        const { issues } = await one.ask('issues', 10, null);
        expect(issues.map(({ events }) => events)).toEqual([10, 10, 10, 10, 10, 10]);
      });

      it('counts a user once when both store an event at the same time', async () => {
        const [one, other] = [await stores.open(), await stores.open()];
        await one.ingest([eventEnvelope(serverEvent(1_000))]);
        const from = (first: number) =>
          Array.from({ length: 40 }, (_, index) =>
            eventEnvelope(
              serverEvent(first + index, 'orders/load', { user: { id: `reader ${(index * 7) % 40}` } }),
            ),
          );

        const settled = await Promise.all([one.ingest(from(1)), other.ingest(from(101).toReversed())]);

        expect(settled.flat().filter(({ outcome }) => outcome !== 'delivered')).toEqual([]);
        expect(await one.ask('issue', eventIdOf(1))).toMatchObject({ events: 81, users: 41 });
      });

      it('deletes the excess once when both run retention at the same time', async () => {
        const [one, other] = [await stores.open(), await stores.open()];
        await one.ingest(Array.from({ length: 100 }, (_, index) => eventEnvelope(serverEvent(index + 1))));
        const limits = { maxAgeMs: 1e12, maxBytes: 60_000 };

        const retained = await Promise.all([
          one.ask('retain', limits, RECEIVED_MS),
          other.ask('retain', limits, RECEIVED_MS),
        ]);

        expect(retained.filter(({ events }) => events > 0)).toHaveLength(1);
        expect((await one.ask('retain', limits, RECEIVED_MS)).events).toBe(0);
      });

      it('assigns feedback to its issue when both are written at the same time', async () => {
        const open = await newData();
        const own = new StoresUnderTest(() => Promise.resolve(open));
        const store = await own.open();
        const { db } = open();
        const report = { event_id: eventIdOf(1), comments: 'It broke.' };
        await store.ingest([eventEnvelope(serverEvent(1))]);
        await store.ingest([envelopeOf([{ type: 'user_report', payload: report }])]);
        // As two transactions leave it that do not see each other's row.
        await db.updateTable('feedback').set({ issue_id: null }).execute();

        await store.ask('retain', { maxAgeMs: 1e12, maxBytes: 1e12 }, RECEIVED_MS);

        expect((await store.ask('issue', eventIdOf(1)))?.feedback).toHaveLength(1);
        expect((await store.ask('feedback', 10, null)).feedback).toEqual([]);
        await db.destroy();
        await own.close();
      });

      it('can be started together on an empty database', async () => {
        const replicas = [await stores.open(), await stores.open(), await stores.open()];

        const keys = await Promise.all(replicas.map((store) => store.ask('ownProjectKey')));

        expect(new Set(keys).size).toBe(1);
      });

      it('holds back the one envelope of a batch that the database refuses', async () => {
        const store = await stores.open();
        const refused = eventEnvelope(serverEvent(1), { project: 'https://nul\0.example/1' });

        const settled = await store.ingest([refused, eventEnvelope(serverEvent(2))]);

        expect(settled).toEqual([FAILED, DELIVERED]);
        expect(await store.ask('event', eventIdOf(2))).toBeDefined();
      });

      it('requests envelopes again while the server is down, and stores them when it is back', async () => {
        const store = await stores.open();
        await store.ingest([eventEnvelope(serverEvent(1))]);
        const envelope = eventEnvelope(serverEvent(2));

        await server.stop();
        const away = await store.ingest([envelope]);
        await expect(store.ask('find', 'cart')).rejects.toThrow(/ENOENT|terminat/);
        await server.start();
        const back = await store.ingest([envelope]);

        expect(away).toEqual([UNREACHABLE]);
        expect(back).toEqual([DELIVERED]);
        expect((await store.ask('issue', eventIdOf(1)))?.events).toBe(2);
      });

      it('can be started before the server', async () => {
        const store = await stores.open();
        const envelope = eventEnvelope(serverEvent(1));
        await server.stop();

        const away = await store.ingest([envelope]);
        // What needs no database is done without it.
        const letter = await store.ask('deadLetterItems', Buffer.from('{}\n{"type":"event"}\n{}'), true);
        await server.start();

        expect(letter.items).toHaveLength(1);
        expect(away[0]?.outcome).toBe('retry');
        expect(await store.ingest([envelope])).toEqual([DELIVERED]);
      });
    });
  });
}
