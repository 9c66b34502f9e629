import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { buildClient, removeClient, stackOf } from '../sourcemap/built-client.fixture.ts';
import {
  browserEvent,
  DELIVERED,
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  MALFORMED,
  serverEvent,
  UNREACHABLE,
} from './test/envelopes.fixture.ts';
import type { StoreWorkerData } from './store-messages.ts';
import {
  EventStore,
  startStoreWorker,
  StoreRefused,
  StoreUnusable,
  StoreUnavailable,
} from './event-store.ts';

describe('the store in its thread', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-event-store-'));
  let files = 0;
  const opened: EventStore[] = [];

  function newData(): StoreWorkerData {
    files += 1;
    const file = join(directory, `${files}.db`);
    return {
      databaseUrl: null,
      file,
      limits: { maxFileBytes: 1e9, maxLogBytes: 2 ** 26, retention: { maxAgeMs: 1e12, maxBytes: 1e9 } },
      clientDirs: [],
      applicationRoot: '/srv/shop',
      served: { release: 'shop@1.0.0', publicOrigin: null, otherProjects: [] },
      spool: 1,
      alerts: { publicUrl: null, targets: [] },
    };
  }

  function open(
    options: Partial<ConstructorParameters<typeof EventStore>[1]> = {},
    data: Partial<StoreWorkerData> = {},
  ): EventStore {
    const store = new EventStore({ ...newData(), ...data }, { onFault: () => undefined, ...options });
    opened.push(store);
    return store;
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('names both schemas when another version has made the database', async () => {
    const data = newData();
    const older = open({}, data);
    await older.ask('storedEvents');
    await older.close();
    const database = new DatabaseSync(data.file);
    database.exec(`insert into kysely_migration values ('999-later', '2030-01-01T00:00:00.000Z')`);
    database.close();

    const asked = open({}, data).ask('storedEvents');

    await expect(asked).rejects.toThrow(StoreUnusable);
    await expect(asked).rejects.toThrow(
      /^another version of Errata made it: its schema is 999-later, this version has \d{3}-[a-z-]+$/,
    );
  });

  it('adds no table to a file of another program, and names one that it has', async () => {
    const data = newData();
    const database = new DatabaseSync(data.file);
    database.exec('create table customer (name text)');

    const asked = open({}, data).ask('storedEvents');

    await expect(asked).rejects.toThrow(StoreUnusable);
    await expect(asked).rejects.toThrow('another program made it: it has the table customer');
    expect(database.prepare('select name from sqlite_schema').all()).toMatchObject([{ name: 'customer' }]);
    database.close();
  });

  it('keeps an error and finds it by its digest', async () => {
    const store = open();

    const settled = await store.ingest([eventEnvelope(serverEvent(1))]);

    expect(settled).toEqual([DELIVERED]);
    const digest = (await store.ask('event', eventIdOf(1)))?.digest ?? '';
    expect((await store.ask('find', `Digest: ${digest}`)).issues).toHaveLength(1);
    expect(await store.ask('issue', digest)).toMatchObject({
      digest,
      events: 1,
      latest: { eventId: eventIdOf(1) },
    });
  });

  it('maps a browser’s stack by the maps of the client it is given', async () => {
    const client = await buildClient();
    const [call] = await stackOf(client, 'open()');
    const frame = { filename: client.scriptUrl, lineno: call?.line, colno: call?.column };
    const values = [{ type: 'RangeError', value: 'negative', stacktrace: { frames: [frame] } }];
    const store = open({}, { clientDirs: [client.directory] });

    await store.ingest([eventEnvelope(browserEvent(1, { exception: { values } }))]);

    const event = await store.ask('event', eventIdOf(1));
    await removeClient(client);
    expect(event?.exceptions[0]?.frames[0]).toMatchObject({ file: 'src/app/checkout.ts', function: 'Cart' });
  });

  it('lives through an envelope whose items are small and would be too large in memory', async () => {
    const faults: unknown[] = [];
    const store = open({ onFault: (fault) => faults.push(fault) });
    const dense = (values: number) =>
      JSON.stringify({ ...serverEvent(2), extra: { list: Array.from({ length: values }, () => ({})) } });
    const few = Array.from({ length: 60 }, () => ({ type: 'event', payload: dense(45_000) }));
    const many = Array.from({ length: 5 }, () => ({ type: 'event', payload: dense(1_390_000) }));

    const settled = await store.ingest([
      envelopeOf(many),
      envelopeOf([{ type: 'event', payload: serverEvent(1) }, ...few]),
    ]);

    expect(settled).toEqual([MALFORMED, DELIVERED]);
    expect(await store.ask('event', eventIdOf(1))).toBeDefined();
    expect(faults).toEqual([]);
  });

  it('leaves the envelope’s bytes to the other sinks', async () => {
    const store = open();
    const envelope = eventEnvelope(serverEvent(1));
    const bytes = Buffer.from(envelope.items);

    await store.ingest([envelope]);

    expect(Buffer.compare(Buffer.from(envelope.items), bytes)).toBe(0);
  });

  it('asks for envelopes again while its thread is down, and takes them once it is back', async () => {
    const workers: Worker[] = [];
    let reportSecond: () => void = () => undefined;
    const second = new Promise<void>((resolve) => (reportSecond = resolve));
    const faults: unknown[] = [];
    const store = open({
      onFault: (fault) => faults.push(fault),
      start: (data) => {
        if (workers.push(startStoreWorker(data)) === 2) reportSecond();
        return workers.at(-1) as Worker;
      },
    });
    const envelope = eventEnvelope(serverEvent(1));
    await store.ingest([envelope]);

    // Before it is asked, or it might still answer.
    void workers[0]?.terminate();
    const waiting = store.ingest([envelope]);
    const asked = store.ask('find', 'cart');

    await expect(asked).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await waiting).map(({ outcome }) => outcome)).toEqual(['retry']);
    expect(faults).toHaveLength(1);
    await second;
    expect(await store.ingest([envelope])).toEqual([DELIVERED]);
    expect((await store.ask('issue', eventIdOf(1)))?.events).toBe(1);
  });

  it('says of a database it cannot open that it is unavailable, and goes on trying', async () => {
    const workers: Worker[] = [];
    let reportThird: () => void = () => undefined;
    const third = new Promise<void>((resolve) => (reportThird = resolve));
    const store = new EventStore(
      { ...newData(), file: join(directory, 'no', 'such', 'folder.db') },
      {
        onFault: () => undefined,
        start: (data) => {
          if (workers.push(startStoreWorker(data)) === 3) reportThird();
          return workers.at(-1) as Worker;
        },
      },
    );
    opened.push(store);

    await expect(store.ask('storedKey', 'own_project_key')).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await store.ingest([eventEnvelope(serverEvent(1))]))[0]).toMatchObject({ outcome: 'retry' });
    await expect(store.ask('issues', 10, null)).rejects.toThrow('ENOENT');
    await third;
  });

  it('reports a warning of the driver, which would be plain text on standard error', async () => {
    const warnings: string[] = [];
    const databaseUrl = 'postgres://errata@127.0.0.1:4/errata?sslmode=require';
    const store = open({ onWarning: (warning) => warnings.push(warning) }, { databaseUrl });

    await expect(store.ask('storedEvents')).rejects.toBeInstanceOf(StoreUnavailable);

    expect(warnings).toEqual([expect.stringMatching(/^Warning: .*SSL modes/)]);
  });

  it('reports a database that refuses it in the words of the server, and keeps the envelopes', async () => {
    const words = 'password authentication failed for user "errata"';
    const answer = `SFATAL\0C28P01\0M${words}\0\0`;
    const response = `E${String.fromCharCode(0, 0, 0, 4 + answer.length)}${answer}`;
    const server = createServer((client) => client.once('data', () => client.end(response)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const faults: unknown[] = [];
    const databaseUrl = `postgres://errata:other@127.0.0.1:${port}/errata`;
    const store = open({ onFault: (fault) => faults.push(fault) }, { databaseUrl });

    const settled = await store.ingest([eventEnvelope(serverEvent(1))]);
    await expect(store.ask('storedEvents')).rejects.toThrow(new StoreRefused(words));
    server.close();

    expect(settled).toEqual([{ ...UNREACHABLE, reason: 'store_refused' }]);
    expect(faults).toEqual([new StoreRefused(words), new StoreRefused(words)]);
  });

  it('closes while its thread is down, and does not start it again', async () => {
    const workers: Worker[] = [];
    const down = Promise.withResolvers<unknown>();
    const store = open({
      onFault: down.resolve,
      start: (data) => {
        workers.push(startStoreWorker(data));
        return workers.at(-1) as Worker;
      },
    });

    void workers[0]?.terminate();
    await down.promise;
    await store.close();

    expect(workers).toHaveLength(1);
    await expect(store.ask('issues', 10, null)).rejects.toThrow('the thread is not running');
  });

  it('does not take a mistake in a call for a database that is away', async () => {
    const store = open();

    const asked = store.ask('find', undefined as unknown as string);

    await expect(asked).rejects.toThrow(Error);
    await expect(asked).rejects.not.toBeInstanceOf(StoreUnavailable);
  });

  it('replies to earlier calls before it closes, and to none after', async () => {
    const store = open();

    const before = store.ingest([eventEnvelope(serverEvent(1))]);
    await store.close();

    expect(await before).toEqual([DELIVERED]);
    await expect(store.ask('issues', 10, null)).rejects.toThrow('the thread is not running');
  });
});
