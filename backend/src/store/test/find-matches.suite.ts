import { referenceOf } from '../../digest/crockford.ts';
import {
  browserEvent,
  eventEnvelope,
  eventIdOf,
  PROJECT,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

export function describeFindMatches(stores: StoresUnderTest): void {
  describe('a reference of several events', () => {
    it('means the confirmed one, also as an event id, before others with the same digits', async () => {
      const store = await stores.open();
      const id = eventIdOf(0xabcdef01);
      const copyOf = (last: string) => ({ ...browserEvent(1), event_id: id.slice(0, -last.length) + last });
      await store.ingest([eventEnvelope(copyOf('00')), eventEnvelope(copyOf('02'))]);
      await store.ingest([eventEnvelope(serverEvent(0xabcdef01), { source: 'server' })]);
      const otherProject = PROJECT.replace(/1$/, '2');
      await store.ingest([eventEnvelope(browserEvent(0xabcdef01), { project: otherProject })]);

      const answer = await store.ask('find', referenceOf(id));

      expect(answer).toMatchObject({ reading: 'reference', eventId: id });
      expect(answer.issues.map(({ project, match }) => [project, match?.eventId])).toEqual([
        [PROJECT, id],
        [PROJECT, copyOf('00').event_id],
        [otherProject, id],
      ]);
      expect((await store.ask('find', id)).issues[0]).toMatchObject({ kind: 'server', project: PROJECT });
      expect(await store.ask('issue', referenceOf(id))).toMatchObject({ kind: 'server', project: PROJECT });
      expect(await store.ask('event', id)).toMatchObject({ provenance: { isConfirmed: true } });
    });

    it('lists them as they arrived, and says where some are missing', async () => {
      const store = await stores.open();
      const id = eventIdOf(0xabcdef01);
      const withEnd = (end: number) => id.slice(0, -2) + String(end);
      const arrived = (end: number, ageMs: number) =>
        eventEnvelope(serverEvent(1, `part/${end % 2 === 0 ? 'a' : 'b'}`, { event_id: withEnd(end) }), {
          receivedAtMs: RECEIVED_MS - ageMs,
        });
      await store.ingest(Array.from({ length: 20 }, (_, age) => arrived(71 + age, age)));
      const whole = await store.ask('find', referenceOf(id));
      await store.ingest([arrived(10, 0)]);

      const answer = await store.ask('find', referenceOf(id));

      for (const { issues, eventId } of [whole, answer])
        expect([eventId, ...issues.map(({ match }) => match?.eventId)]).toEqual([
          null,
          withEnd(90),
          withEnd(89),
        ]);
      expect([whole.isCut, answer.isCut]).toEqual([undefined, true]);
    });
  });

  describe('an id of several events', () => {
    it('opens a confirmed event before others, and says where some are not listed', async () => {
      const store = await stores.open();
      const tags = { request_id: 'req-4711' };
      const numbers = Array.from({ length: 100 }, (_, index) => index + 2);
      await store.ingest([eventEnvelope(serverEvent(1, 'a/b', { tags }), { source: 'server' })]);
      await store.ingest(numbers.slice(1).map((number) => eventEnvelope(browserEvent(number, { tags }))));
      const whole = await store.ask('find', 'req-4711');
      await store.ingest([eventEnvelope(browserEvent(2, { tags }))]);

      const answer = await store.ask('find', 'req-4711');

      for (const { issues } of [whole, answer])
        expect(issues.map(({ kind }) => kind)).toEqual(['server', 'browser']);
      expect([whole.isCut, answer.isCut]).toEqual([undefined, true]);
    });

    it('in a URL is that of its host', async () => {
      const store = await stores.open();
      await store.ingest([
        eventEnvelope(serverEvent(1)),
        eventEnvelope(serverEvent(2, 'a/b', { request: {}, transaction: 'GET /carts/7' })),
      ]);

      const eventsOf = async (query: string) =>
        (await store.ask('find', query)).issues.map(({ match }) => match?.eventId);

      expect(await eventsOf('https://shop.example/orders/4711')).toEqual([eventIdOf(1)]);
      expect(await eventsOf('https://other.example/orders/4711')).toEqual([]);
      expect(await eventsOf('https://other.example/carts/7')).toEqual([eventIdOf(2)]);
    });
  });

  describe('a search by filters', () => {
    it('opens the newest event that matches all of them, not the newest of the issue', async () => {
      const store = await stores.open();
      const said = (number: number, name: string, release: string) =>
        eventEnvelope(
          serverEvent(number, 'a/b', { user: { id: `id-${name}`, email: `${name}@shop.example` }, release }),
          { receivedAtMs: RECEIVED_MS + number },
        );
      await store.ingest([said(1, 'ann', 'shop@1'), said(2, 'ann', 'shop@2'), said(3, 'bob', 'shop@1')]);

      const matchOf = async (query: string) =>
        (await store.ask('find', query)).issues.map(({ match }) => match?.eventId);

      expect(await matchOf('user:ann@shop.example')).toEqual([eventIdOf(2)]);
      expect(await matchOf('user:ID-ann')).toEqual([eventIdOf(2)]);
      expect(await matchOf('user:ann@shop.example release:shop@1 url:/orders')).toEqual([eventIdOf(1)]);
      expect(await matchOf('url:shop.example/orders')).toEqual([eventIdOf(3)]);
      expect(await matchOf('order items')).toEqual([undefined]);
    });

    it('opens the event of long ago, below very many newer ones of the same hour', async () => {
      const store = await stores.open();
      const of = (number: number, name: string, release: string, place: string) =>
        eventEnvelope(
          serverEvent(number, 'a/b', {
            user: { id: `id-${name}`, email: `${name}@shop.example` },
            release,
            request: { url: `https://${place}` },
          }),
          { receivedAtMs: RECEIVED_MS + number },
        );
      const numbers = Array.from({ length: 1_100 }, (_, index) => index + 3);
      await store.ingest([
        of(1, 'ann', 'shop@1', 'old.example/orders/7/items'),
        of(2, 'ann', 'shop@1+77', 'old.example/orders/7'),
        ...numbers.map((number) => of(number, 'bob', 'shop@2', 'shop.example/orders/8')),
        of(2_000, 'bob', 'shop@2', 'shop.example/ORDERS/7'),
      ]);

      const queries = [
        'user:ID-ann',
        'Ann@shop.example',
        'user:ann@shop.example release:shop@1',
        'https://old.example/orders/7?from=mail',
        'url:/orders/7',
        'url:old.example',
        'release:shop@1+77',
        'release:1',
      ];
      const opened: unknown[] = [];
      for (const query of queries)
        opened.push([query, ...(await store.ask('find', query)).issues.map(({ match }) => match?.eventId)]);

      expect(opened).toEqual(queries.map((query) => [query, eventIdOf(2)]));
    });

    it('opens no event where the one that matches is deleted', async () => {
      const store = await stores.open();
      await store.ingest([
        eventEnvelope(serverEvent(1, 'a/b', { user: { email: 'ann@shop.example' } })),
        eventEnvelope(serverEvent(2, 'a/b', { user: { email: 'bob@shop.example' } })),
      ]);
      await store.db.deleteFrom('event').where('event_id', '=', eventIdOf(1)).execute();

      const { issues } = await store.ask('find', 'user:ann@shop.example');

      expect(issues).toEqual([expect.objectContaining({ match: null })]);
    });
  });
}
