import { HOUR_MS, hourOf } from '../../time/iso.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { alertOptions, EVERY_ALERT, TARGET } from './alert-options.fixture.ts';
import { eventEnvelope, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

const NOW_HOUR_MS = hourOf(RECEIVED_MS);
const WEEK_MS = 7 * 24 * HOUR_MS;

/** Events of an issue by how many hours ago, 0 for the present hour. */
type History = Readonly<Record<number, number>>;
const STEADY: History = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [index + 1, 80]));

let number = 0;

/** Makes more events of one issue. */
const batchOf = (count: number, atMs: number, source: EnvelopeSource = 'server') =>
  Array.from({ length: count }, () =>
    eventEnvelope(serverEvent((number += 1), 'a/b', { timestamp: atMs / 1_000 }), { source }),
  );

const ingest = (store: TestedStore, ...of: Parameters<typeof batchOf>) => store.ingest(batchOf(...of));

/** Returns who sent the issue of each alert about a frequent one. */
async function reported(store: TestedStore): Promise<readonly string[]> {
  const rows = await store.db
    .selectFrom('alert')
    .select('is_confirmed')
    .where('event', '=', 'issue.frequent')
    .execute();
  return rows.map((row) => (row.is_confirmed === 1 ? 'confirmed' : 'public'));
}

/** When an issue is reported as frequent. */
export function describeFrequent(stores: StoresUnderTest): void {
  describe('an alert about a frequent issue', () => {
    const open = () => stores.open(undefined, alertOptions(stores));

    /** Opens a store with an issue that had its first event a week ago, and this history since then. */
    async function withHistory(history: History): Promise<TestedStore> {
      const store = await open();
      await ingest(store, 1, RECEIVED_MS - WEEK_MS);
      const { id } = await store.db.selectFrom('issue').select('id').executeTakeFirstOrThrow();
      const rows = Object.entries(history).map(([hoursAgo, events]) => ({
        issue_id: id,
        hour_ms: NOW_HOUR_MS - Number(hoursAgo) * HOUR_MS,
        events,
      }));
      if (rows.length > 0) await store.db.insertInto('issue_hour').values(rows).execute();
      return store;
    }

    it.each<readonly [string, number, History, number]>([
      ['no event before, and 99', 0, {}, 99],
      ['no event before, and 100', 1, {}, 100],
      ['99 in this hour, and one', 1, { 0: 99 }, 1],
      ['100 in this hour, and more', 0, { 0: 100 }, 300],
      ['80 an hour, and the 100th', 0, { ...STEADY, 0: 99 }, 1],
      ['80 an hour, and the 799th', 0, { ...STEADY, 0: 790 }, 9],
      ['80 an hour, and the 800th', 1, { ...STEADY, 0: 790 }, 10],
      ['a daily peak, and the 6,399th', 0, { 24: 400, 0: 6_390 }, 9],
      ['a daily peak, and the 6,400th', 1, { 24: 400, 0: 6_390 }, 10],
      ['a peak 25 hours ago, and the 100th', 1, { 25: 400, 0: 99 }, 1],
      ['the first half of a burst in the last hour', 0, { 1: 60 }, 60],
      ['a reported burst in the last hour', 0, { 1: 150 }, 150],
      ['90 in this hour, and two steps at once', 1, { 0: 90 }, 150],
      ['15 in the last hour, and two steps at once', 1, { 1: 15, 0: 90 }, 150],
      ['15 in the last hour, and the first step', 0, { 1: 15, 0: 90 }, 100],
    ])('with %s: %d', async (_, alerts, history, added) => {
      const store = await withHistory(history);

      await ingest(store, added, RECEIVED_MS);

      expect(await reported(store)).toHaveLength(alerts);
    });

    it('comes once an hour, and of a burst over the end of an hour once', async () => {
      const store = await withHistory({});
      const counts: number[] = [];
      for (const minutes of [0, 10, 29, 30, 45, 89]) {
        stores.nowMs = RECEIVED_MS + minutes * 60_000;
        await ingest(store, 60, stores.nowMs);
        counts.push((await reported(store)).length);
      }

      expect(counts).toEqual([0, 1, 1, 1, 1, 1]);
    });

    it.each(['ignored', 'resolved'] as const)('does not come for an issue that is %s', async (status) => {
      const store = await withHistory({});
      const { issues } = await store.ask('issues', 10, null);
      stores.nowMs += 60_000;
      await store.ask('setStatus', { issues, status });

      await ingest(store, 100, RECEIVED_MS);

      expect(await reported(store)).toEqual([]);
    });

    it('does not come for a backlog of last week, or of the last hour', async () => {
      const store = await withHistory({});

      await store.ingest([...batchOf(99, RECEIVED_MS - WEEK_MS), ...batchOf(1, RECEIVED_MS)]);
      await ingest(store, 250, RECEIVED_MS - WEEK_MS);
      await ingest(store, 250, RECEIVED_MS - HOUR_MS);

      expect(await reported(store)).toEqual([]);
    });

    it('comes for the issue of unconfirmed events beside a confirmed one', async () => {
      const store = await withHistory({ 0: 50 });

      await ingest(store, 99, RECEIVED_MS, 'tunnel');
      const before = await reported(store);
      await ingest(store, 1, RECEIVED_MS, 'tunnel');

      expect([before, await reported(store)]).toEqual([[], ['public']]);
    });

    it('comes once when several batches are written at the same time', async () => {
      const store = await withHistory({});

      await Promise.all(Array.from({ length: 8 }, () => ingest(store, 20, RECEIVED_MS)));

      expect(await reported(store)).toEqual(['confirmed']);
    });

    it('comes for each of several issues in a batch, to the targets that want it', async () => {
      const filter = { ...EVERY_ALERT, on: ['issue.new'] } as const;
      const targets = [TARGET, { ...TARGET, id: 'new', filter }];
      const store = await stores.open(undefined, alertOptions(stores, null, targets));
      const files = Array.from({ length: 100 }, (_, index) => ['c/d', 'e/f', `g/${index % 2 ? 'h' : 'i'}`]);

      await store.ingest(
        files.flat().map((file) => eventEnvelope(serverEvent((number += 1), file), { source: 'server' })),
      );

      const { alerts } = await store.ask('claimAlerts', TARGET.id);
      expect(alerts.map(({ body: { type } }) => type).toSorted()).toEqual([
        ...Array.from({ length: 2 }, () => 'issue.frequent'),
        ...Array.from({ length: 4 }, () => 'issue.new'),
      ]);
      expect((await store.ask('claimAlerts', 'new')).alerts).toHaveLength(4);
    });
  });
}
