import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { NO_SENDER } from '../../sink/queued-envelope.ts';
import { DAY_MS } from '../../time/iso.ts';
import { FEEDBACK_BYTES } from '../db/occupied-bytes.ts';
import type { Database } from '../db/schema.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import {
  DELIVERED,
  envelopeOf,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  serverEvent,
  UNREACHABLE,
} from './envelopes.fixture.ts';
import { makeFirstSchema } from './first-schema.fixture.ts';
import { StoresUnderTest } from './store-under-test.fixture.ts';

const FILE_BYTES = 2 ** 21;
const RETENTION = { maxAgeMs: 1e12, maxBytes: FILE_BYTES / 2 };
const LOG_BYTES = 2 ** 22;
const BATCH = 2;
/** An event of four texts: a longer one would be cut. */
const TEXT_BYTES = 8_000;
const EVENT_BYTES = 4 * TEXT_BYTES;

let number = 0;

/** Returns new errors, each of its own issue, of 64 KB together. */
function newErrors() {
  return Array.from({ length: BATCH }, () => {
    const extra = [1, 2, 3, 4].map((text) => [text, randomBytes(TEXT_BYTES).toString('base64')]);
    const changes = { extra: Object.fromEntries(extra) };
    return eventEnvelope(serverEvent((number += 1), `full/${number}`, changes));
  });
}

/** Returns a release, a user and a path of the greatest length, which no other event has. */
function longFacts(own: number) {
  const fact = String(own).padStart(250, 'x');
  return {
    release: fact,
    user: { id: fact },
    request: { url: `https://shop.example/${fact}${fact.slice(1)}` },
  };
}

function from(address: string, body: EventBody) {
  return eventEnvelope(body, { sender: { ...NO_SENDER, address } });
}

/** Returns a message as long as feedback may have. */
function longMessage(): string {
  return randomBytes(3_072).toString('base64');
}

function feedbackFrom(address: string, messages: readonly string[]) {
  const items = messages.map((message) => ({
    type: 'feedback',
    payload: { event_id: randomBytes(16).toString('hex'), contexts: { feedback: { message } } },
  }));
  return envelopeOf(items, { sender: { ...NO_SENDER, address } });
}

/** Stores batches until one is not stored, and returns that one's settlement. */
async function fill(store: TestedStore): Promise<unknown> {
  for (;;) {
    const [settlement] = await store.ingest(newErrors());
    if (settlement?.outcome !== 'delivered') return settlement;
  }
}

/** Makes the first schema, and stores events in it until the file has no free page. */
async function fillFirstSchema(db: Database): Promise<void> {
  await makeFirstSchema(db);
  const fillWith = async (bytes: number): Promise<never> => {
    for (;;) {
      await sql`
        insert into event
          (project_id, event_id, issue_id, received_ms, occurred_ms, bytes, is_brief, payload, spool)
        values (1, lower(hex(randomblob(16))), 1, 0, 0, ${bytes}, 0, zeroblob(${bytes}), 1)
      `.execute(db);
    }
  };
  await expect(fillWith(TEXT_BYTES)).rejects.toThrow('full');
  await expect(fillWith(1)).rejects.toThrow('full');
}

describe('a store whose file is full', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-full-'));
  let stores: StoresUnderTest;
  let file: string;

  beforeEach(() => {
    file = join(directory, `${number}.db`);
    stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, FILE_BYTES)));
  });

  afterEach(() => stores.close());
  afterAll(() => rmSync(directory, { recursive: true }));

  it('stores twice its size, because it deletes the oldest events at once', async () => {
    const store = await stores.openRetaining(RETENTION);
    const first = number + 1;
    const batches = (2 * FILE_BYTES) / (BATCH * EVENT_BYTES);

    const outcomes = new Set<string | undefined>();
    for (let stored = 0; stored < batches; stored += 1) {
      stores.nowMs += 60_000;
      for (const { outcome } of await store.ingest(newErrors())) outcomes.add(outcome);
    }

    expect([...outcomes]).toEqual(['delivered']);
    expect(await store.ask('event', eventIdOf(first))).toBeUndefined();
    expect(await store.ask('event', eventIdOf(number))).toBeDefined();
  });

  it('deletes events once a minute at most', async () => {
    const store = await stores.openRetaining(RETENTION);

    const isFull = await fill(store);
    const again = await store.ingest(newErrors());
    stores.nowMs += 60_000;
    const later = await store.ingest(newErrors());

    expect([isFull, again[0], later[0]]).toEqual([UNREACHABLE, UNREACHABLE, DELIVERED]);
  });

  it('deletes a tenth of its data when its limit is above what the file can hold', async () => {
    const store = await stores.openRetaining({ ...RETENTION, maxBytes: 2 * FILE_BYTES });
    const first = number + 1;
    do await store.ingest(newErrors());
    while ((await store.ask('event', eventIdOf(first))) !== undefined);

    const stored = number + 1 - first;
    expect(await store.ask('event', eventIdOf(first + Math.ceil(stored / 5)))).toBeDefined();
    expect(stores.faults.map(String)).toContainEqual(
      expect.stringContaining('the file of the store is full'),
    );
  });

  it('deletes no more than that when its clock is wrong', async () => {
    const store = await stores.openRetaining({ maxAgeMs: DAY_MS, maxBytes: 2 * FILE_BYTES });
    const first = number + 1;
    stores.nowMs += 40 * DAY_MS;
    do await store.ingest(newErrors());
    while ((await store.ask('event', eventIdOf(first))) !== undefined);

    expect(await store.ask('event', eventIdOf(number - BATCH))).toBeDefined();
  });

  it('keeps the events of others while one network sends facts as long as they may be', async () => {
    const store = await stores.openRetaining(RETENTION);
    const honest = [1, 2, 3, 4, 5].map(() => (number += 1));
    await store.ingest(honest.map((own) => from('198.51.100.9', serverEvent(own, `full/${own}`))));
    const flood = Array.from({ length: 60 }, () => Array.from({ length: 50 }, () => (number += 1)));

    const outcomes = new Set<string | undefined>();
    for (const numbers of flood) {
      stores.nowMs += 60_000;
      const batch = numbers.map((own) =>
        from('203.0.113.7', serverEvent(own, `flood/${own % 4}`, longFacts(own))),
      );
      for (const { outcome } of await store.ingest(batch)) outcomes.add(outcome);
    }

    expect([...outcomes]).toEqual(['delivered']);
    const found = await Promise.all(honest.map((own) => store.ask('event', eventIdOf(own))));
    expect(found.filter((event) => event === undefined)).toEqual([]);
  });

  it.each([1, 12])(
    'keeps events and the feedback of others while feedback of %d others fills the file',
    async (networks) => {
      const maxBytes = 48 * FEEDBACK_BYTES * 8;
      const store = await stores.openRetaining({ ...RETENTION, maxBytes });
      const retention = { ...RETENTION, maxBytes };
      await store.limit({ maxFileBytes: 2 * maxBytes, maxLogBytes: LOG_BYTES, retention });
      const oldest = number + 1;
      for (let batch = 0; batch < 20; batch += 1) await store.ingest(newErrors());
      await store.ingest(Array.from({ length: 20 }, (_, own) => feedbackFrom(`198.51.${own}.9`, ['honest'])));

      const outcomes = new Set<string | undefined>();
      for (let batch = 0; batch < 12; batch += 1) {
        stores.nowMs += 60_000;
        const flood = Array.from({ length: 20 }, (_, own) =>
          feedbackFrom(`203.0.${own % networks}.7`, Array.from({ length: 10 }, longMessage)),
        );
        for (const { outcome } of await store.ingest(flood)) outcomes.add(outcome);
      }

      expect([...outcomes]).toEqual(['delivered']);
      // Leaves as much feedback as a page has.
      await store.ask('retain', retention, 0);
      expect(await store.ask('event', eventIdOf(oldest))).toBeDefined();
      const { feedback } = await store.ask('feedback', 100, null);
      expect(feedback.filter(({ message }) => message === 'honest')).toHaveLength(20);
      expect(stores.faults.map(String)).toContainEqual(expect.stringContaining('is full: 0 events and '));
      expect(await store.ask('earlyEvictions')).toBeGreaterThan(100);
    },
  );

  it('stores again at once with a larger file', async () => {
    const store = await stores.openRetaining({ ...RETENTION, maxBytes: FILE_BYTES });
    await fill(store);

    await store.limit({
      maxFileBytes: 2 * FILE_BYTES,
      maxLogBytes: LOG_BYTES,
      retention: { ...RETENTION, maxBytes: 2 * FILE_BYTES },
    });

    expect((await store.ingest(newErrors()))[0]).toEqual(DELIVERED);
  });

  it('is migrated from the first schema, also while its limits are set, and stores again', async () => {
    const { db } = openSqlite(file, FILE_BYTES);
    await fillFirstSchema(db);
    await db.destroy();
    const store = await stores.openRetaining(RETENTION);

    const stored = store.ingest(newErrors());
    await store.limit({ maxFileBytes: FILE_BYTES, maxLogBytes: LOG_BYTES, retention: RETENTION });

    expect((await stored)[0]).toEqual(DELIVERED);
    expect(await fill(store)).toEqual(UNREACHABLE);
  });

  it('keeps the data of its new limits when it is full again', async () => {
    const store = await stores.openRetaining({ ...RETENTION, maxBytes: 0 });

    await store.limit({ maxFileBytes: FILE_BYTES, maxLogBytes: LOG_BYTES, retention: RETENTION });
    const first = number + 1;
    do await store.ingest(newErrors());
    while ((await store.ask('event', eventIdOf(first))) !== undefined);

    expect(await store.ask('event', eventIdOf(number - BATCH))).toBeDefined();
  });
});
