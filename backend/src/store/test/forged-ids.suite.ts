import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { envelopeOf, eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

/** Ids that a stranger has sent before the server. */
export function describeForgedIds(stores: StoresUnderTest): void {
  describe('a confirmed event', () => {
    const sent = (source: EnvelopeSource) => eventEnvelope(serverEvent(1), { source });
    const forged = () => eventEnvelope(serverEvent(1, 'forged/file'));
    const stored = (store: TestedStore) =>
      store.db
        .selectFrom('event')
        .innerJoin('issue', 'issue.id', 'event.issue_id')
        .select(['event_id', 'origin', 'issue.events'])
        .orderBy('event.id')
        .execute();

    it.each<[EnvelopeSource, number]>([
      ['own', 1],
      ['gateway', 2],
      ['server', 3],
    ])('of %s has its id, although a stranger has sent that before', async (source, origin) => {
      const store = await stores.open();
      await store.ingest([forged()]);
      const payload = { event_id: eventIdOf(1), comments: 'It broke' };
      await store.ingest([envelopeOf([{ type: 'user_report', payload }])]);

      await store.ingest([sent(source)]);
      await store.ingest([forged(), sent(source), sent(source), forged()]);

      expect(await stored(store)).toEqual([
        { event_id: expect.not.stringContaining(eventIdOf(1)), origin: 4, events: 1 },
        { event_id: eventIdOf(1), origin, events: 1 },
      ]);
      expect(await store.ask('issue', eventIdOf(1))).toMatchObject({
        isConfirmed: true,
        latest: { eventId: eventIdOf(1) },
        feedback: [{ message: 'It broke' }],
      });
    });

    it.each([[['tunnel', 'server']], [['server', 'tunnel']]] as const)(
      'is the one of its id that is stored of a batch (%j)',
      async (sources) => {
        const store = await stores.open();

        await store.ingest(sources.map((source) => (source === 'tunnel' ? forged() : sent(source))));
        await store.ingest([forged()]);

        expect(await stored(store)).toEqual([{ event_id: eventIdOf(1), origin: 3, events: 1 }]);
      },
    );

    it('that an earlier version has stored is no other one', async () => {
      const store = await stores.open();
      await store.ingest([sent('server')]);
      await store.db.updateTable('event').set({ origin: 0 }).execute();

      await store.ingest([sent('server')]);

      expect(await stored(store)).toEqual([{ event_id: eventIdOf(1), origin: 0, events: 1 }]);
    });
  });
}
