import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { DELIVERED, eventEnvelope, eventIdOf, serverEvent, UNREACHABLE } from './envelopes.fixture.ts';
import { UnusableDatabase } from '../db/database-errors.ts';
import { migrate } from '../db/migrations/migrate.ts';
import { occupiedBytes } from '../db/occupied-bytes.ts';
import { openPostgres } from '../db/postgres/open-postgres.ts';
import { type PostgresPackage, type PostgresServer, startPostgres } from './postgres-server.fixture.ts';
import { createSharedDatabase } from './shared-postgres.fixture.ts';
import { StoresUnderTest } from './store-under-test.fixture.ts';

/** Far shorter than the slow statement of a migration. */
const SHORT_TIMEOUTS = { serverMs: 1, clientMs: 50 };

/** Makes one statement of the migrations slow: it waits for waiting replicas, and then half a second. */
async function slowDown(url: string, waitingReplicas: number): Promise<void> {
  const { db } = openPostgres(url);
  await sql`
    create function slow() returns event_trigger language plpgsql as $$ begin
      while (
        select count(*) from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted
      ) < ${sql.lit(waitingReplicas)} loop perform pg_sleep(0.01); end loop;
      perform pg_sleep(0.5);
    end $$
  `.execute(db);
  await sql`
    create event trigger slow on ddl_command_start when tag in ('DROP TABLE') execute function slow()
  `.execute(db);
  await db.destroy();
}

/** What the store must do with a new database. */
export function describeNewDatabase(postgres: PostgresPackage): void {
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

    const keys = await Promise.all(replicas.map((store) => store.ask('storedKey', 'own_project_key')));
    await stores.close();

    expect(new Set(keys).size).toBe(1);
  });

  it('counts the ids of events as stored data', async () => {
    const url = await createSharedDatabase(postgres, 'sized');
    const database = openPostgres(url);
    await migrate(database);
    const empty = await occupiedBytes(database);

    await sql`insert into event_ids select id, ${Buffer.alloc(54)} from generate_series(1, 1000) id`.execute(
      database.db,
    );

    expect(await occupiedBytes(database)).toBeGreaterThan(empty + 54_000);
    await database.db.destroy();
  });

  it('refuses a database that a newer version has migrated', async () => {
    const url = await createSharedDatabase(postgres, 'newer');
    const database = openPostgres(url);
    await migrate(database);
    await sql`insert into kysely_migration values ('999-later', '2030-01-01T00:00:00.000Z')`.execute(
      database.db,
    );

    await expect(migrate(database)).rejects.toThrow(UnusableDatabase);
    await database.db.destroy();
  });

  it.each([
    ['"Other",public', ['public']],
    ['"Other"', ['Other', 'public']],
    ['none', 'no schema has been selected to create in: its search_path is none'],
  ])('migrates the tables that search_path=%s finds, or else makes its own: %j', async (path, expected) => {
    const url = await createSharedDatabase(postgres, `search_${path.length}`);
    const { db, ...admin } = openPostgres(url);
    await migrate({ db, ...admin });
    await sql`create schema "Other"`.execute(db);
    const database = openPostgres(`${url}&options=${encodeURIComponent(`-c search_path=${path}`)}`);

    // The second time it finds its own.
    const migrated = migrate(database).then(() => migrate(database));
    const refusal = await migrated.catch(({ message }: Error) => message);
    const { rows } = await sql<{ schemaname: string }>`
      select schemaname from pg_tables where tablename = 'kysely_migration' order by 1
    `.execute(db);

    await Promise.all([db.destroy(), database.db.destroy()]);
    expect(refusal ?? rows.map(({ schemaname }) => schemaname)).toEqual(expected);
  });

  it('waits for a right that its role has lost, and blames no envelope', async () => {
    const url = await createSharedDatabase(postgres, 'revoked');
    const stores = new StoresUnderTest(() => Promise.resolve(() => openPostgres(url)));
    const store = await stores.open();
    await store.ingest([eventEnvelope(serverEvent(1))]);
    const { db } = openPostgres(url);
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '42501'; end $$
    `.execute(db);
    await sql`create trigger refuse before insert on event execute function refuse()`.execute(db);

    const settled = await store.ingest([2, 3].map((number) => eventEnvelope(serverEvent(number))));

    await Promise.all([db.destroy(), stores.close()]);
    const held = { ...UNREACHABLE, reason: 'store_refused' };
    expect(settled).toEqual([held, held]);
  });

  it('migrates with a statement that takes longer than all others may', async () => {
    const url = await createSharedDatabase(postgres, 'slow');
    await slowDown(url, 0);
    const database = openPostgres(url, SHORT_TIMEOUTS);

    await migrate(database);

    await expect(sql`drop table note`.execute(database.db)).rejects.toThrow(/timeout/);
    await database.db.destroy();
  });

  it('lets replicas wait for a migration longer than a statement may take', async () => {
    const url = await createSharedDatabase(postgres, 'waiting');
    await slowDown(url, 2);
    const replicas = Array.from({ length: 3 }, () => openPostgres(url, SHORT_TIMEOUTS));

    const ends = await Promise.allSettled(replicas.map((replica) => migrate(replica)));

    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await Promise.all(replicas.map(({ db }) => db.destroy()));
  });
}

/** What the store must do while the server is down. */
export function describeLostServer(postgres: PostgresPackage): void {
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
      const form = { isWhole: true, isEnvelope: true };
      const letter = await store.ask('deadLetterItems', Buffer.from('{}\n{"type":"event"}\n{}'), form);
      await server.start();

      expect(letter.items).toHaveLength(1);
      expect(away[0]?.outcome).toBe('retry');
      expect(await store.ingest([envelope])).toEqual([DELIVERED]);
    });
  });
}

/** What the store must do when the name of its server moves to another one. */
export function describeFailOver(postgres: PostgresPackage): void {
  describe('with a name that moves to another server', () => {
    const folder = mkdtempSync(join(tmpdir(), 'errata-name-'));
    // A folder of sockets is a host, and a link to it is a name that can move.
    const host = join(folder, 'host');
    let old: PostgresServer;
    let next: PostgresServer;
    const pointTo = ({ socket }: PostgresServer): void => {
      rmSync(host, { force: true });
      symlinkSync(dirname(socket), host);
    };
    const stores = new StoresUnderTest(async () => {
      const url = new URL(await old.createDatabase('shop'));
      url.searchParams.set('host', host);
      return () => openPostgres(url.href);
    });
    beforeAll(async () => {
      [old, next] = await Promise.all([startPostgres(postgres), startPostgres(postgres)]);
    });
    afterAll(async () => {
      await stores.close();
      await Promise.all([old.remove(), next.remove()]);
      rmSync(folder, { recursive: true });
    });

    it('stores at the new primary, although the old one still answers, read-only', async () => {
      const replica = openPostgres(await next.createDatabase('shop'));
      await migrate(replica);
      pointTo(old);
      const store = await stores.open();
      const both = (first: number) =>
        Promise.all([first, first + 1].map((number) => store.ingest([eventEnvelope(serverEvent(number))])));
      const before = await both(1);

      pointTo(next);
      const admin = new pg.Client(await old.createDatabase('admin'));
      await admin.connect();
      await admin.query('alter system set default_transaction_read_only = on');
      await admin.query('select pg_reload_conf()');
      await admin.end();
      let number = 3;
      // The old server reads its configuration again after an unknown time.
      for (;;) {
        const [settled] = await store.ingest([eventEnvelope(serverEvent(number))]);
        if (settled?.outcome !== 'delivered') break;
        number += 1;
      }
      const after = await both(number);

      expect([...before, ...after]).toEqual([[DELIVERED], [DELIVERED], [DELIVERED], [DELIVERED]]);
      expect(String(stores.faults)).toContain('read-only transaction');
      const { rows } = await sql`select event_id from event order by event_id`.execute(replica.db);
      expect(rows).toEqual([{ event_id: eventIdOf(number) }, { event_id: eventIdOf(number + 1) }]);
      await replica.db.destroy();
    });
  });
}
