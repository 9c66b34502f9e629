import {
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  PROJECT,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { HOUR_MS } from '../../time/iso.ts';

/** In the next hour: the times of facts are exact to an hour. */
const NOW_MS = RECEIVED_MS + HOUR_MS;
const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';

export function describeErasureProjects(stores: StoresUnderTest): void {
  describe('erasureMatches', () => {
    it.each([{ user: '7' }, { eventId: eventIdOf(1) }, { before: new Date(NOW_MS).toISOString() }])(
      'says in which projects %j matches, and erases in the one that is named only',
      async (erasure) => {
        const store = await stores.open();
        const sent = [PROJECT, OTHER_PROJECT].map((project) =>
          eventEnvelope(serverEvent(1, 'a', { user: { id: '7', email: 'ann@shop.example' } }), { project }),
        );
        const said = (email: string, project: string) => {
          const payload = { event_id: eventIdOf(1), comments: 'It broke.', email };
          return envelopeOf([{ type: 'user_report', payload }], { project });
        };
        await store.ingest([...sent, said('8', PROJECT), said('7', OTHER_PROJECT)]);

        const { matches } = await store.ask('erasureMatches', erasure, NOW_MS);
        const erased = await store.ask('erase', { ...erasure, project: OTHER_PROJECT }, NOW_MS);
        await store.ingest(sent);

        expect(matches).toMatchObject([
          { project: PROJECT, events: 1 },
          { project: OTHER_PROJECT, events: 1, feedback: 1 },
        ]);
        expect(erased).toMatchObject({ events: 1, feedback: 1 });
        const all = { before: new Date(NOW_MS).toISOString() };
        expect((await store.ask('erasureMatches', all, NOW_MS)).matches).toEqual([
          { project: PROJECT, events: 1, feedback: 1 },
        ]);
        const found = await Promise.all(
          ['user:7', 'user:ann@shop.example', 'url:/orders'].map((query) => store.ask('find', query)),
        );
        expect(found.flatMap(({ issues }) => issues.map(({ project }) => project))).toEqual(
          Array(3).fill(PROJECT),
        );
      },
    );

    it('counts the brief events of a user before it erases them', async () => {
      const store = await stores.open();
      const user = { id: 'Cust-7', email: 'ann@shop.example' };
      await store.ingest(
        Array.from({ length: 120 }, (_, index) => eventEnvelope(serverEvent(index + 1, 'a', { user }))),
      );

      const found = await Promise.all(
        ['cust-7', 'ann@shop.example'].map((name) => store.ask('erasureMatches', { user: name }, NOW_MS)),
      );

      expect(found.flatMap(({ matches }) => matches.map(({ events }) => events))).toEqual([120, 120]);
    });
  });
}
