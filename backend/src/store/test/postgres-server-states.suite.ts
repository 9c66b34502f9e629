import { sql } from 'kysely';
import { DELIVERED, eventEnvelope, eventIdOf, serverEvent, UNREACHABLE } from './envelopes.fixture.ts';
import { openPostgres } from '../db/postgres/open-postgres.ts';
import { type PostgresPackage, type PostgresServer, startPostgres } from './postgres-server.fixture.ts';
import { createSharedDatabase } from './shared-postgres.fixture.ts';
import { StoresUnderTest } from './store-under-test.fixture.ts';

/** What the store must do with a new database, and while the server is down. */
export function describeServerStates(postgres: PostgresPackage): void {
  it('commits durably with any default of the database', async () => {
    const url = await createSharedDatabase(postgres, 'careless');
    const { db } = openPostgres(url);
    await sql`alter database careless set synchronous_commit = off`.execute(db);
    await db.destroy();

    const again = openPostgres(url);
    const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(again.db);
    await again.db.destroy();

    expect(rows).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('can be started together by replicas on an empty database', async () => {
    const url = await createSharedDatabase(postgres, 'empty');
    const stores = new StoresUnderTest(() => Promise.resolve(() => openPostgres(url)));
    const replicas = [await stores.open(), await stores.open(), await stores.open()];

    const keys = await Promise.all(replicas.map((store) => store.ask('ownProjectKey')));
    await stores.close();

    expect(new Set(keys).size).toBe(1);
  });

  describe('with a server that stops', () => {
    let server: PostgresServer;
    let databases = 0;
    const stores = new StoresUnderTest(async () => {
      databases += 1;
      const url = await server.createDatabase(`store_${databases}`);
      return () => openPostgres(url);
    });
    beforeAll(async () => {
      server = await startPostgres(postgres);
    });
    afterAll(() => server.remove());
    afterEach(() => stores.close());

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
}
