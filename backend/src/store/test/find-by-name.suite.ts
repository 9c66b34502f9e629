import { referenceOf } from '../../digest/crockford.ts';
import { browserEvent, eventEnvelope, eventIdOf, ownReport, serverEvent } from './envelopes.fixture.ts';
import { digestOfEvent } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

export function describeFindByName(stores: StoresUnderTest): void {
  describe('the examples of find', () => {
    it('are values of the newest events, one of each kind', async () => {
      const store = await stores.open();
      const trace_id = 'ab'.repeat(16);
      await store.ingest([
        eventEnvelope(
          serverEvent(1, 'a/b', { server_name: 'web-1', environment: 'old', user: { id: 'say "hi"' } }),
        ),
        eventEnvelope(
          serverEvent(2, 'a/b', {
            user: {},
            contexts: { trace: { trace_id } },
            tags: { request_id: 'req-1' },
          }),
        ),
      ]);
      const digest = await digestOfEvent(store, 2);

      const { examples } = await store.ask('findExamples');

      expect(examples).toEqual([
        { as: 'digest', value: digest },
        { as: 'reference', value: '0000-00G0' },
        { as: 'event_id', value: eventIdOf(2) },
        { as: 'trace_id', value: trace_id },
        { as: 'request_id', value: 'req-1' },
        { as: 'url', value: '/orders/4711' },
        { as: 'release', value: 'shop@1.0.0' },
        { as: 'environment', value: 'production' },
        { as: 'server', value: 'web-1' },
      ]);
    });

    it('are those of confirmed events where there is one, however many a stranger sends', async () => {
      const store = await stores.open();
      const forged = (number: number) =>
        eventEnvelope(browserEvent(number, { release: 'forged@9', user: { id: 'forged' } }));
      await store.ingest([eventEnvelope(serverEvent(1, 'a/b', { user: {} }), { source: 'server' })]);
      await store.ingest(Array.from({ length: 30 }, (_, index) => forged(index + 2)));

      const { examples } = await store.ask('findExamples');

      expect(examples).toContainEqual({ as: 'event_id', value: eventIdOf(1) });
      expect(examples).toContainEqual({ as: 'release', value: 'shop@1.0.0' });
      expect(examples).toContainEqual({ as: 'user', value: 'forged' });
    });

    it('are none in an empty store', async () => {
      expect(await (await stores.open()).ask('findExamples')).toEqual({ examples: [] });
    });
  });

  describe('find', () => {
    it.each([
      ['as it is shown', (digest: string) => digest],
      ['in small letters without its hyphen', (digest: string) => digest.toLowerCase().replace('-', '')],
      ['with O for 0 and l for 1', (digest: string) => digest.replaceAll('0', 'O').replaceAll('1', 'l')],
      [
        'within a pasted page',
        (digest: string) => `Application error: … (see the server logs).\nDigest: ${digest}\n`,
      ],
      ['by its first five symbols', (digest: string) => digest.slice(0, 6)],
    ])('finds a digest %s', async (_name, pasted) => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(browserEvent(2))]);
      const digest = await digestOfEvent(store, 1);

      const answer = await store.ask('find', pasted(digest));

      expect(answer).toMatchObject({ reading: 'digest', eventId: null });
      expect(answer.issues.map((issue) => issue.digest)).toEqual([digest]);
    });

    it('finds an event id, with or without hyphens', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(0xabcdef01)), eventEnvelope(browserEvent(2))]);
      const id = eventIdOf(0xabcdef01);

      const answers = [
        await store.ask('find', `event ${id}`),
        await store.ask('find', id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')),
      ];

      for (const answer of answers) {
        expect(answer).toMatchObject({ reading: 'event_id', eventId: id });
        expect(answer.issues).toHaveLength(1);
      }
    });

    it('finds the event that a reference names', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(0xabcdef01)), eventEnvelope(serverEvent(0x12345678))]);

      const answer = await store.ask('find', `Reference: ${referenceOf(eventIdOf(0xabcdef01))}`);

      expect(answer).toMatchObject({ reading: 'reference', eventId: eventIdOf(0xabcdef01) });
      expect(answer.issues).toHaveLength(1);
    });

    it.each([
      ['problem details', (digest: string, reference: string) => JSON.stringify({ digest, reference })],
      [
        'headers',
        (digest: string, reference: string) => `X-Errata-Digest: ${digest}\nX-Errata-Reference: ${reference}`,
      ],
      ['a log line', (digest: string) => JSON.stringify({ digest, eventId: eventIdOf(1) })],
      ['a page', (digest: string, reference: string) => `Reference: ${reference} Digest: ${digest}`],
    ])('finds the event of %s with a digest, not the newest one', async (_, pasted) => {
      const store = await stores.open();
      await store.ingest([1, 2, 3].map((number) => eventEnvelope(serverEvent(number << 24))));
      const id = eventIdOf(1 << 24);
      const digest = (await store.ask('event', id))?.digest ?? '';

      const answer = await store.ask('find', pasted(digest, referenceOf(id)).replace(eventIdOf(1), id));

      expect(answer).toMatchObject({ eventId: id, issues: [{ digest, match: { eventId: id } }] });
    });

    it('finds the issue of a digest with the reference of another issue, and opens no event', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1 << 24)), eventEnvelope(serverEvent(2 << 24, 'a/b'))]);
      const answer = await store.ask('event', eventIdOf(1 << 24));

      const found = await store.ask(
        'find',
        `Digest: ${answer?.digest}, Reference: ${referenceOf(eventIdOf(2 << 24))}`,
      );

      expect(found).toMatchObject({ reading: 'digest', eventId: null, issues: [{ digest: answer?.digest }] });
    });

    it('finds a digest of the error’s own exactly as it is', async () => {
      const store = await stores.open();
      await store.ingest([ownReport(1, 'pay_failed-7')]);

      const answer = await store.ask('find', 'pay_failed-7');

      expect(answer).toMatchObject({ reading: 'digest', issues: [{ digest: 'pay_failed-7' }] });
    });

    it('finds a title by a part of it, in any case', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(browserEvent(2))]);

      const answer = await store.ask('find', '"CART is undefined"');

      expect(answer).toMatchObject({ reading: 'text', issues: [{ title: 'TypeError: cart is undefined' }] });
    });

    it('reads a plain word as text, also when it may be the beginning of a digest', async () => {
      const store = await stores.open();
      await store.ingest([ownReport(1, 'CART-7'), eventEnvelope(browserEvent(2))]);

      expect(await store.ask('find', 'cart')).toMatchObject({
        reading: 'text',
        issues: [{ kind: 'browser' }],
      });
      expect(await store.ask('find', 'CART')).toMatchObject({
        reading: 'digest',
        issues: [{ digest: 'CART-7' }],
      });
    });

    it('reads wildcards of the database as plain text', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);

      const answers = [await store.ask('find', '"order % has"'), await store.ask('find', '"order _ has"')];

      expect(answers.map(({ issues }) => issues)).toEqual([[], []]);
    });

    it.each([
      ['release:shop@2', [2]],
      ['user:ann@shop.example', [1]],
      ['url:/cart', [2]],
      ['url:https://shop.example/cart/99 release:shop@2 "cart is"', [2]],
      ['release:shop@2 url:/orders', []],
    ])('searches by %s', async (query, expected) => {
      const store = await stores.open();
      await store.ingest([
        eventEnvelope(serverEvent(1)),
        eventEnvelope(browserEvent(2, { release: 'shop@2' })),
      ]);

      const answer = await store.ask('find', query);

      const digests = await Promise.all(expected.map((number) => digestOfEvent(store, number)));
      expect(answer.issues.map(({ digest }) => digest)).toEqual(digests);
    });

    it('returns a hint when nothing is found', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);
      const digest = await digestOfEvent(store, 1);
      const slip = (digest.startsWith('Z') ? 'Y' : 'Z') + digest.slice(1);

      const answer = await store.ask('find', slip);

      expect(answer).toMatchObject({
        reading: 'digest',
        issues: [],
        eventId: null,
        hint: { similar: [{ digest }], oldestStored: '2026-11-21T12:30:00.000Z' },
      });
    });

    it('has an answer for an empty store and an empty query', async () => {
      const store = await stores.open();

      const answer = await store.ask('find', '  ');

      expect(answer).toEqual({
        query: '  ',
        reading: 'nothing',
        readings: [{ as: 'nothing', value: '' }],
        issues: [],
        next: null,
        eventId: null,
        hint: { similar: [], recent: [], oldestStored: null, deleted: 0, eventIds: [] },
      });
    });
  });

  describe('issue', () => {
    it('counts the last 24 hours, those without events too', async () => {
      const store = await stores.open();
      const at = (number: number, hour: number) =>
        eventEnvelope(
          serverEvent(number, 'orders/load', { timestamp: Date.UTC(2026, 10, 21, hour, 59) / 1000 }),
        );
      await store.ingest([at(1, 10), at(2, 10), at(3, 11), at(4, -11), at(5, -12)]);

      const hours = (await store.ask('issue', eventIdOf(1)))?.hours;

      expect(hours).toHaveLength(24);
      expect(hours?.[0]).toEqual({ hour: '2026-11-20T13:00:00.000Z', count: 1 });
      expect(hours?.at(-1)).toEqual({ hour: '2026-11-21T12:00:00.000Z', count: 0 });
      expect(hours?.filter(({ count }) => count > 0).map(({ count }) => count)).toEqual([1, 2, 1]);
    });

    it('contains the newest event in full', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(serverEvent(2))]);

      const latest = (await store.ask('issue', eventIdOf(1)))?.latest;

      expect(latest).toMatchObject({
        eventId: eventIdOf(2),
        reference: referenceOf(eventIdOf(2)),
        path: '/orders/4711',
        browser: null,
        release: 'shop@1.0.0',
        environment: 'production',
        unmapped: null,
      });
      expect(latest?.exceptions).toEqual([
        {
          type: 'TypeError',
          value: 'order 2 has no items',
          frames: [
            {
              file: '/srv/shop/dist/orders/load.js',
              function: 'loadOrder',
              line: 7,
              column: 3,
              own: true,
              mapped: false,
              source: [],
            },
            {
              file: '/srv/shop/node_modules/express/lib/router.js',
              function: 'next',
              line: null,
              column: null,
              own: false,
              mapped: false,
              source: [],
            },
          ],
        },
      ]);
    });

    it('names the browser of a browser’s event', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(browserEvent(1))]);

      expect((await store.ask('event', eventIdOf(1)))?.browser).toBe('Chrome 156 on Linux');
    });
  });
}
