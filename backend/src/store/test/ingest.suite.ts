import { ownKey } from '../../digest/digest.ts';
import {
  browserEvent,
  DELIVERED,
  DELIVERED_NO_ERROR,
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  MALFORMED,
  PROJECT,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

export function describeIngest(stores: StoresUnderTest): void {
  describe('ingest', () => {
    it('stores a server error as an issue with its event', async () => {
      const store = await stores.open();

      const settled = await store.ingest([eventEnvelope(serverEvent(1))]);

      expect(settled).toEqual([DELIVERED]);
      const { issues } = await store.ask('issues', 10, null);
      expect(issues).toEqual([
        {
          project: PROJECT,
          isShared: false,
          isConfirmed: false,
          digest: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
          address: issues[0]?.digest,
          key: expect.stringMatching(/^[0-9a-f]{64}$/),
          kind: 'server',
          title: 'TypeError: order 1 has no items',
          events: 1,
          firstSeen: '2026-11-21T12:30:00.000Z',
          lastSeen: '2026-11-21T12:30:00.000Z',
          release: 'shop@1.0.0',
          status: 'open',
          resolvedIn: null,
          regressed: null,
          users: 1,
          hours: [...Array.from({ length: 23 }, () => 0), 1],
        },
      ]);
    });

    it('returns the digest of each envelope’s first error, for the console', async () => {
      const store = await stores.open();
      const event = (number: number, file: string) =>
        ({ type: 'event', payload: serverEvent(number, file) }) as const;
      const sender = { source: 'server' } as const;
      const report = { event_id: eventIdOf(1), comments: 'It broke.' };

      const settled = await store.ingest([
        envelopeOf([event(1, 'a/a')], sender),
        envelopeOf([{ type: 'user_report', payload: report }, event(2, 'b/b'), event(3, 'a/a')], sender),
        envelopeOf([{ type: 'user_report', payload: report }], sender),
      ]);
      const again = await store.ingest([envelopeOf([event(1, 'a/a')], sender)]);

      const keys = await Promise.all(
        [1, 2].map(async (number) => (await store.ask('issue', eventIdOf(number)))?.key),
      );
      const digests = [...settled, ...again].map((one) => (one.outcome === 'delivered' ? one.digest : one));
      expect(digests).toEqual([keys[0], keys[1], null, keys[0]]);
      expect(new Set(keys).size).toBe(2);
    });

    it('groups events of one error and separates those of another', async () => {
      const store = await stores.open();

      await store.ingest(
        [serverEvent(1), serverEvent(2), serverEvent(3, 'cart/sum')].map((body) => eventEnvelope(body)),
      );

      const { issues } = await store.ask('issues', 10, null);
      expect(new Set(issues.map(({ events }) => events))).toEqual(new Set([1, 2]));
    });

    it('counts an event once, also when its envelope arrives twice', async () => {
      const store = await stores.open();
      const envelope = eventEnvelope(serverEvent(1));

      const settled = [...(await store.ingest([envelope, envelope])), ...(await store.ingest([envelope]))];

      expect(settled).toEqual([DELIVERED, DELIVERED, DELIVERED]);
      const { issues } = await store.ask('issues', 10, null);
      expect(issues.map(({ events }) => events)).toEqual([1]);
      const answer = await store.ask('issue', eventIdOf(1));
      expect(answer?.hours.at(-1)?.count).toBe(1);
    });

    it('prefers the envelope’s event id to the item’s', async () => {
      const store = await stores.open();

      await store.ingest([eventEnvelope(serverEvent(1), { eventId: eventIdOf(2) })]);

      expect(await store.ask('event', eventIdOf(1))).toBeUndefined();
      expect((await store.ask('event', eventIdOf(2)))?.title).toBe('TypeError: order 1 has no items');
    });

    it('identifies an event without an id by its bytes', async () => {
      const store = await stores.open();
      const envelope = eventEnvelope(serverEvent(1, 'orders/load', { event_id: undefined }));

      await store.ingest([envelope]);
      await store.ingest([envelope]);

      const { issues } = await store.ask('issues', 10, null);
      expect(issues.map(({ events }) => events)).toEqual([1]);
    });

    it('stores the other events of a batch with a malformed one', async () => {
      const store = await stores.open();

      const settled = await store.ingest([
        eventEnvelope(serverEvent(1)),
        envelopeOf([{ type: 'event', payload: '{"event_id": nonsense' }]),
        envelopeOf([{ type: 'event', payload: '["no object"]' }]),
        eventEnvelope(serverEvent(2)),
      ]);

      expect(settled).toEqual([DELIVERED, MALFORMED, MALFORMED, DELIVERED]);
      expect((await store.ask('issues', 10, null)).issues[0]?.events).toBe(2);
    });

    it('refuses an event that is nested too deep to be walked', async () => {
      const store = await stores.open();
      const deep = `{"extra":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;

      const settled = await store.ingest([envelopeOf([{ type: 'event', payload: deep }])]);

      expect(settled).toEqual([MALFORMED]);
    });

    it('refuses an event of more than 4 MiB', async () => {
      const store = await stores.open();
      const huge = serverEvent(1, 'orders/load', { extra: { text: 'x'.repeat(4 * 1024 * 1024) } });

      const settled = await store.ingest([eventEnvelope(huge)]);

      expect(settled).toEqual([MALFORMED]);
    });

    it('skips items that are not for the store', async () => {
      const store = await stores.open();

      const settled = await store.ingest([
        envelopeOf([
          { type: 'transaction', payload: { event_id: eventIdOf(1), type: 'transaction' } },
          { type: 'session', payload: {} },
        ]),
      ]);

      expect(settled).toEqual([DELIVERED_NO_ERROR]);
      expect((await store.ask('issues', 10, null)).issues).toEqual([]);
    });

    it('makes an issue of an event that has neither exception nor message', async () => {
      const store = await stores.open();
      const bare = { event_id: eventIdOf(1), request: { url: 'https://shop.example/cart' } };

      await store.ingest([eventEnvelope(bare)]);

      expect((await store.ask('issue', eventIdOf(1)))?.title).toBe('Event without a message at /cart');
    });

    it('stores hostile texts safely', async () => {
      const store = await stores.open();
      const hostile = `{"event_id":"${eventIdOf(1)}","message":"a\\u0000b \\ud800 c","__proto__":{"x":1},"tags":{"__proto__":"y","constructor":"z"}}`;

      const settled = await store.ingest([envelopeOf([{ type: 'event', payload: hostile }])]);

      expect(settled).toEqual([DELIVERED]);
      const event = await store.ask('event', eventIdOf(1));
      expect(event?.title).toBe('ab � c');
      expect(event?.tags['constructor']).toBe('z');
      expect(Object.getPrototypeOf(event?.tags)).toBe(Object.prototype);
    });

    it('stores no secret of an event', async () => {
      const store = await stores.open();

      await store.ingest([
        eventEnvelope(serverEvent(1, 'orders/load', { tags: { note: 'password=hunter2', plain: 'kept' } })),
      ]);

      const event = await store.ask('event', eventIdOf(1));
      expect(event?.tags).toEqual({ note: 'password=[Filtered]', plain: 'kept' });
    });

    it.each([
      ['the sender’s clock', RECEIVED_MS / 1000 - 3_600, '2026-11-21T11:30:00.000Z'],
      ['a text', '2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
      ['no time at all', undefined, '2026-11-21T12:30:00.000Z'],
      ['a time to come', RECEIVED_MS / 1000 + 3_600, '2026-11-21T12:30:00.000Z'],
      ['a time long gone', 1_000, '2026-11-21T12:30:00.000Z'],
      ['nonsense', 'yesterday', '2026-11-21T12:30:00.000Z'],
    ])('dates an event with %s', async (_name, timestamp, expected) => {
      const store = await stores.open();

      await store.ingest([eventEnvelope(serverEvent(1, 'orders/load', { timestamp }))]);

      expect((await store.ask('event', eventIdOf(1)))?.time).toBe(expected);
    });

    it.each(['own', 'gateway'] as const)('trusts the digest of its own reports: %s', async (source) => {
      const store = await stores.open();
      const tags = { 'errata.digest': 'PAY-42', 'errata.digest_key': ownKey('PAY-42') };

      await store.ingest([eventEnvelope(serverEvent(1, 'orders/load', { tags }), { source })]);

      expect((await store.ask('issue', 'PAY-42'))?.events).toBe(1);
    });

    it('names the files of its own reporting relative to the application', async () => {
      const store = await stores.open();
      const frames = [
        { filename: '/srv/errata/dist/orders/load.js', function: 'load', lineno: 7, in_app: true },
      ];
      const exception = { values: [{ type: 'Error', value: 'boom', stacktrace: { frames } }] };

      await store.ingest([
        eventEnvelope(serverEvent(1, 'a/b', { exception }), { source: 'own' }),
        eventEnvelope(serverEvent(2, 'a/b', { exception })),
      ]);

      const files = [await store.ask('event', eventIdOf(1)), await store.ask('event', eventIdOf(2))].map(
        (event) => event?.exceptions[0]?.frames[0]?.file,
      );
      expect(files).toEqual(['dist/orders/load.js', '/srv/errata/dist/orders/load.js']);
    });

    it('ignores such a tag from other senders', async () => {
      const store = await stores.open();
      const tags = { 'errata.digest': 'PAY-42', 'errata.digest_key': ownKey('PAY-42') };

      await store.ingest([eventEnvelope(serverEvent(1, 'orders/load', { tags }))]);

      expect(await store.ask('issue', 'PAY-42')).toBeUndefined();
    });

    it('computes the digest when the tags of its own reporting do not belong together', async () => {
      const store = await stores.open();
      const tags = { 'errata.digest': 'ABCD-EFGH', 'errata.digest_key': ownKey('PAY-42') };

      await store.ingest([eventEnvelope(serverEvent(1, 'orders/load', { tags }), { source: 'own' })]);

      const issue = await store.ask('issue', eventIdOf(1));
      expect(issue?.digest).not.toBe('ABCD-EFGH');
      expect(issue?.key).not.toBe(ownKey('PAY-42'));
    });

    it('takes title and release from the newest event and the first release from the oldest, in any order', async () => {
      const store = await stores.open();
      const at = (hour: number, number: number, release: string) =>
        eventEnvelope(
          serverEvent(number, 'orders/load', { release, timestamp: Date.UTC(2026, 10, 21, hour) / 1000 }),
        );

      await store.ingest([at(11, 2, 'shop@2')]);
      await store.ingest([at(12, 3, 'shop@3'), at(10, 1, 'shop@1')]);

      expect(await store.ask('issue', eventIdOf(1))).toMatchObject({
        title: 'TypeError: order 3 has no items',
        release: 'shop@3',
        firstRelease: 'shop@1',
        firstSeen: '2026-11-21T10:00:00.000Z',
        lastSeen: '2026-11-21T12:00:00.000Z',
        events: 3,
      });
    });

    it('states why a browser’s stack stays minified, and leaves its names out of the digest', async () => {
      const store = await stores.open();
      const renamed = structuredClone(browserEvent(2)) as {
        exception: { values: { stacktrace: unknown }[] };
      };
      renamed.exception.values[0] = {
        ...renamed.exception.values[0],
        stacktrace: {
          frames: [
            { filename: 'https://shop.example/assets/index-xY98zW76.js', function: 'q', lineno: 1, colno: 7 },
          ],
        },
      };

      await store.ingest([eventEnvelope(browserEvent(1)), eventEnvelope({ ...renamed })]);

      const answer = await store.ask('issue', eventIdOf(1));
      expect(answer).toMatchObject({ kind: 'browser', events: 2 });
      expect((await store.ask('event', eventIdOf(1)))?.unmapped).toBe(
        'minified: no source map for index-ab12CD34.js of release shop@1.0.0; neither the served client nor a stored earlier one has a map of it',
      );
    });
  });
}
