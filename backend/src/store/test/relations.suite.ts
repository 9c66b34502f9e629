import {
  browserEvent,
  DELIVERED,
  DELIVERED_NO_ERROR,
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  PROJECT,
  MALFORMED,
  serverEvent,
} from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

export function describeRelations(stores: StoresUnderTest): void {
  describe('data that belongs to an issue', () => {
    it('makes no issue for an event that is stored under another digest', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1, 'a/a'))]);

      // As after a deploy whose source maps name other functions.
      const settled = await store.ingest([eventEnvelope(serverEvent(1, 'b/b'))]);

      expect(settled).toEqual([DELIVERED]);
      expect((await store.ask('issues', 10, null)).issues.map(({ events }) => events)).toEqual([1]);
    });

    it('shows the browser issue with the server issue and vice versa', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);
      const server = await store.ask('issue', eventIdOf(1));

      await store.ingest([
        eventEnvelope(browserEvent(2, { tags: { 'errata.server_digest': server?.digest } })),
      ]);

      const browser = await store.ask('issue', eventIdOf(2));
      expect(browser?.related.map(({ digest }) => digest)).toEqual([server?.digest]);
      const related = (await store.ask('issue', eventIdOf(1)))?.related;
      expect(related?.map(({ digest }) => digest)).toEqual([browser?.digest]);
    });

    it('limits the server issues that one browser issue can name', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1, 'a/a')), eventEnvelope(serverEvent(2, 'b/b'))]);
      const [first, last] = [await store.ask('issue', eventIdOf(1)), await store.ask('issue', eventIdOf(2))];
      const naming = (number: number, digest: string | undefined) =>
        eventEnvelope(browserEvent(number, { tags: { 'errata.server_digest': digest } }));
      const forged = Array.from({ length: 110 }, (_, index) => naming(10 + index, `0000-${1_000 + index}`));

      await store.ingest([naming(3, first?.digest)]);
      await store.ingest(forged);
      await store.ingest([naming(4, last?.digest)]);

      const related = (await store.ask('issue', eventIdOf(3)))?.related;
      expect(related?.map(({ digest }) => digest)).toEqual([first?.digest]);
    });

    it.each(['before', 'after'])('shows feedback that came %s its event with the issue', async (when) => {
      const store = await stores.open();
      const event = eventEnvelope(serverEvent(1));
      const report = {
        event_id: eventIdOf(1),
        name: 'Ann',
        email: 'ann@shop.example',
        comments: 'It broke.',
      };
      const feedback = envelopeOf([{ type: 'user_report', payload: report }], { eventId: eventIdOf(1) });

      for (const envelope of when === 'before' ? [feedback, event, feedback] : [event, feedback, feedback])
        expect(await store.ingest([envelope])).toEqual([envelope === event ? DELIVERED : DELIVERED_NO_ERROR]);

      expect((await store.ask('issue', eventIdOf(1)))?.feedback).toEqual([
        {
          id: expect.any(Number),
          time: '2026-11-21T12:30:00.000Z',
          message: 'It broke.',
          name: 'Ann',
          contact: 'ann@shop.example',
          eventId: eventIdOf(1),
          url: null,
          project: PROJECT,
          provenance: { origin: 'browser', isConfirmed: false },
        },
      ]);
    });

    it('accepts feedback of the newer kind, and refuses one without a message', async () => {
      const store = await stores.open();
      const said = { contexts: { feedback: { message: 'Slow', associated_event_id: eventIdOf(1) } } };

      const settled = await store.ingest([
        eventEnvelope(serverEvent(1)),
        envelopeOf([{ type: 'feedback', payload: said }], { eventId: eventIdOf(8) }),
        envelopeOf([{ type: 'feedback', payload: { contexts: { feedback: {} } } }], {
          eventId: eventIdOf(9),
        }),
      ]);

      expect(settled).toEqual([DELIVERED, DELIVERED_NO_ERROR, MALFORMED]);
      expect((await store.ask('issue', eventIdOf(1)))?.feedback?.map(({ message }) => message)).toEqual([
        'Slow',
      ]);
    });
  });
}
