import { sql } from 'kysely';
import { alertOptions, TARGET } from './alert-options.fixture.ts';
import { ownKey } from '../../digest/digest.ts';
import {
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  DELIVERED,
  FAILED,
  ownReport,
  PROJECT,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import { isOneWaiting } from './erasure-locks.suite.ts';
import { type NewData, StoresUnderTest } from './store-under-test.fixture.ts';

/** What the store must do when replicas share its database. */
export function describeReplicas(newData: NewData): void {
  describe('shared by replicas', () => {
    const stores = new StoresUnderTest(newData);
    afterEach(() => stores.close());

    it('counts an event once that both store at the same time, in another order', async () => {
      const [one, other] = [await stores.open(), await stores.open()];
      await one.ask('storedKey', 'own_project_key');
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

    it('counts no unconfirmed event in an issue that another replica confirms meanwhile', async () => {
      const open = await newData();
      const own = new StoresUnderTest(() => Promise.resolve(open));
      const store = await own.open();
      const { db } = open();
      await store.ingest([eventEnvelope(serverEvent(1))]);

      const { settled } = await db.transaction().execute(async (trx) => {
        await trx.updateTable('issue').set({ is_confirmed: 1 }).execute();
        const waiting = store.ingest([eventEnvelope(serverEvent(2))]);
        while (!(await isOneWaiting(db)));
        return { settled: waiting };
      });

      expect(await settled).toEqual([DELIVERED]);
      expect(await store.ask('issue', eventIdOf(1))).toMatchObject({ isConfirmed: true, events: 1 });
      expect(await store.ask('issue', eventIdOf(2))).toMatchObject({ isConfirmed: false, events: 1 });
      await db.destroy();
      await own.close();
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

    it('claims no alert while another process claims for the same target', async () => {
      const open = await newData();
      const own = new StoresUnderTest(() => Promise.resolve(open));
      const store = await own.open(undefined, alertOptions(own));
      const { db } = open();
      await store.ingest([eventEnvelope(serverEvent(1, 'fault/a'))]);

      const meanwhile = await db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(535300, hashtext(${TARGET.id}))`.execute(trx);
        return store.ask('claimAlerts', TARGET.id);
      });

      expect(meanwhile).toEqual({ alerts: [], dropped: 0 });
      expect((await store.ask('claimAlerts', TARGET.id)).alerts).toHaveLength(1);
      await db.destroy();
      await own.close();
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

    it('holds back the one envelope of a batch that the database refuses', async () => {
      const store = await stores.open();
      const refused = eventEnvelope(serverEvent(1), { project: 'https://nul\0.example/1' });

      const settled = await store.ingest([refused, eventEnvelope(serverEvent(2))]);

      expect(settled).toEqual([FAILED, DELIVERED]);
      expect(await store.ask('event', eventIdOf(2))).toBeDefined();
    });

    it('shows the line of a fault that another one has set, and none that is removed or unconfirmed', async () => {
      const open = await newData();
      const own = new StoresUnderTest(() => Promise.resolve(open));
      const [one, other] = [await own.open(), await own.open()];
      const { db } = open();
      const shown = () => other.ask('pageLine', ownKey('CART1'), PROJECT);
      await one.ingest([ownReport(1, 'CART1')]);
      await one.ask('setPageLine', 'CART1', 'We are on it.', PROJECT);
      const set = await shown();
      // No procedure does this: the look-up relies on none of them.
      await db.updateTable('issue').set({ is_confirmed: 0 }).execute();
      const unconfirmed = await shown();
      await db.updateTable('issue').set({ is_confirmed: 1 }).execute();
      await one.ask('setPageLine', 'CART1', '', PROJECT);

      expect([set, unconfirmed, await shown()]).toEqual(['We are on it.', null, null]);
      await db.destroy();
      await own.close();
    });

    it('passes its rule to other replicas without the name', async () => {
      const [one, other] = [await stores.open(), await stores.open()];
      const { rule } = await one.ask('erase', { user: 'ann@shop.example' }, RECEIVED_MS);
      const again = await one.ask('erase', { eventId: eventIdOf(1) }, RECEIVED_MS + 1);

      const rules = await other.ask('erasuresSince', 0);
      await other.ask('deleteErasures', RECEIVED_MS + 1);

      expect(rules).toEqual([rule, again.rule]);
      expect(JSON.stringify(rules)).not.toContain('ann');
      expect(await other.ask('erasuresSince', 0)).toEqual([again.rule]);
    });
  });
}
