import { referenceOf } from '../../digest/crockford.ts';
import type { EnvelopeSource } from '../../sink/queued-envelope.ts';
import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import { type EventBody, eventIdOf, RECEIVED_MS } from './envelopes.fixture.ts';
import {
  browserFails,
  browserReport,
  FORGED,
  type Named,
  othersOf,
  serverFails,
  serverReport,
  visitor,
} from './linked-events.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

export function describeLinkedEvents(stores: StoresUnderTest): void {
  describe('the linked event', () => {
    it('is the server event whose reference the browser names, and the browser event that names it', async () => {
      const store = await stores.open();
      const names = await serverFails(store, 1);
      await browserFails(store, 2, names);

      const [server, browser] = [
        await store.ask('event', eventIdOf(1)),
        await store.ask('event', eventIdOf(2)),
      ];

      expect(browser?.linkedEvent).toMatchObject({ eventId: eventIdOf(1), digest: names.digest });
      expect(server?.linkedEvent?.provenance).toEqual({ origin: 'browser', isConfirmed: false });
      expect(server?.linkedEvent).toMatchObject({ eventId: eventIdOf(2), digest: browser?.digest });
      expect([server?.nearbyEvent, browser?.nearbyEvent]).toEqual([null, null]);
      expect(server?.timeline).toEqual(browser?.timeline);
      expect(browser?.timeline.map(({ kind, category }) => `${kind} ${category}`)).toEqual([
        'server request',
        'server exception',
        'browser exception',
      ]);
    });

    it.each([
      [1, 'ann', [2, 4]],
      [2, 'ann', [1, 3]],
      [3, 'ben', [4, 2]],
      [4, 'ben', [3, 1]],
    ])(
      'of event %i of two visitors who met one fault 45 s apart is only of %s',
      async (number, name, others) => {
        const store = await stores.open();
        const [ann, ben] = [visitor('ann', 0), visitor('ben', 45_000)];
        await browserFails(store, 2, await serverFails(store, 1, ann), ann);
        await browserFails(store, 4, await serverFails(store, 3, ben), ben);

        const event = await store.ask('event', eventIdOf(number));

        expect(await othersOf(store, number)).toEqual(others);
        expect(new Set(event?.timeline.map(({ eventId }) => eventId))).toEqual(
          new Set([null, eventIdOf(number), eventIdOf(others[0] ?? 0)]),
        );
        const crumbs = event?.timeline.filter(({ eventId }) => eventId === null);
        expect(crumbs?.map(({ text }) => text)).toEqual([`${name} clicks`, `${name} clicks`]);
        const other = await store.ask('event', eventIdOf(others[1] ?? 0));
        expect(event?.nearbyEvent).toMatchObject({
          kind: number % 2 === 1 ? 'browser' : 'server',
          time: other?.time,
          provenance: other?.provenance,
        });
      },
    );

    it.each<readonly [string, (names: Required<Named>) => Named, readonly number[]]>([
      ['both names', (names) => names, [1, 0]],
      ['the digest alone, as a stranger can', ({ digest }) => ({ digest }), [0, 1]],
      ['the reference of no event', ({ digest }) => ({ digest, reference: '7KQ4-M2XD' }), [0, 1]],
      ['no reference', ({ digest }) => ({ digest, reference: "' or 1=1" }), [0, 1]],
      ['the reference with another digest', ({ reference }) => ({ digest: 'AAAA-AAAA', reference }), [0, 0]],
      ['the reference alone', ({ reference }) => ({ reference }), [0, 0]],
    ])('of a browser event that names %s', async (_name, named, others) => {
      const store = await stores.open();
      await browserFails(store, 2, named(await serverFails(store, 1)));

      expect(await othersOf(store, 2)).toEqual(others);
      expect(await othersOf(store, 1)).toEqual(others.map((number) => number && 2));
      const lines = (await store.ask('event', eventIdOf(1)))?.timeline;
      expect(lines?.some(({ kind }) => kind === 'browser')).toBe(others[0] === 1);
    });

    it('is the first one that named the reference: a later one can be a stranger’s', async () => {
      const store = await stores.open();
      const names = await serverFails(store, 1);
      await browserFails(store, 3, names, { afterMs: 2_000 });
      await browserFails(store, 2, names, { afterMs: 9_000, changes: { timestamp: RECEIVED_MS / 1000 } });

      expect(await othersOf(store, 1)).toEqual([3, 2]);
    });

    it.each<readonly [string, EventBody, EventBody, number]>([
      ['of its trace', {}, { contexts: { trace: { trace_id: 'ab'.repeat(16) } } }, 2],
      ['of its request', {}, { tags: { request_id: 'r-7f3a91c2' } }, 2],
      [
        'that arrived first, of two without its ids',
        {},
        { contexts: { trace: { trace_id: 'cd'.repeat(16) } } },
        FORGED[0] ?? 0,
      ],
      [
        'that arrived first, of two of its trace',
        { contexts: { trace: { trace_id: 'ab'.repeat(16) } } },
        { contexts: { trace: { trace_id: 'ab'.repeat(16) } } },
        FORGED[0] ?? 0,
      ],
    ])('is the one %s, of many that name the reference', async (_name, forged, own, linked) => {
      const store = await stores.open();
      const ids = { contexts: { trace: { trace_id: 'ab'.repeat(16) } }, tags: { request_id: 'r-7f3a91c2' } };
      const names = await serverFails(store, 1, { changes: ids });
      const named = { 'errata.server_digest': names.digest, 'errata.server_reference': names.reference };
      const half = (number: number, { tags = {}, ...body }: EventBody, afterMs: number) =>
        browserReport(number, names, { afterMs, changes: { ...body, tags: { ...named, ...Object(tags) } } });
      await store.ingest(FORGED.map((number) => half(number, forged, 1_000)));
      await store.ingest([half(2, own, 2_000)]);

      expect((await othersOf(store, 1))[0]).toBe(linked);
      expect((await othersOf(store, 2))[0]).toBe(1);
    });

    it('is each visitor’s own where a thousand meet one fault in a minute', async () => {
      const store = await stores.open();
      const { digest } = await serverFails(store, 1);
      const numbers = Array.from({ length: 1_000 }, (_, index) => 2 * index + 1);
      await store.ingest(numbers.map((number) => serverReport(number, { afterMs: number * 30 })));
      const named = (number: number) => ({ digest, reference: referenceOf(eventIdOf(number)) });
      await store.ingest(
        numbers.map((number) => browserReport(number + 1, named(number), { afterMs: 20_000 + number * 30 })),
      );

      const linked = [1, 2, 999, 1_000, 1_999, 2_000].map(
        async (number) => (await othersOf(store, number))[0],
      );
      expect(await Promise.all(linked)).toEqual([2, 1, 1_000, 999, 2_000, 1_999]);
    });

    it.each<readonly [string, (number: number, names: Required<Named>) => ReturnType<typeof browserReport>]>([
      [
        'that are nearer in time and name the digest',
        (number, { digest }) => browserReport(number, { digest }, { afterMs: number }),
      ],
      [
        'of many faults that name the digest',
        (number, { digest }) => {
          const values = [{ type: `Made${number}Error`, value: 'x' }];
          return browserReport(number, { digest }, { afterMs: 9_000, changes: { exception: { values } } });
        },
      ],
      [
        'that are nearer in time and arrive later, with both names',
        (number, names) => {
          const timestamp = (RECEIVED_MS + number) / 1000;
          return browserReport(number, names, { afterMs: 9_000 + number, changes: { timestamp } });
        },
      ],
      [
        'of a server with both names',
        (number, { digest, reference }) => {
          const tags = { 'errata.server_digest': digest, 'errata.server_reference': reference };
          return serverReport(number, { afterMs: 1_000, changes: { tags } });
        },
      ],
    ])('is found among forged events %s', async (_name, forged) => {
      const store = await stores.open();
      const names = await serverFails(store, 1);
      await store.ingest(FORGED.map((number) => forged(number, names)));
      await browserFails(store, 2, names, { afterMs: 8_000 });

      const event = await store.ask('event', eventIdOf(1));

      expect(event?.linkedEvent?.eventId).toBe(eventIdOf(2));
      expect(event?.timeline.map(({ eventId }) => eventId)).toEqual([
        eventIdOf(1),
        eventIdOf(1),
        eventIdOf(2),
      ]);
    });

    it.each<readonly [string, EnvelopeSource, number]>([
      ['with the server’s key, before it', 'server', -1_000],
      ['with the public key, after it', 'tunnel', 1_000],
    ])(
      'is the server’s among forged events with its reference (sent %s)',
      async (_name, source, forgedAfterMs) => {
        const store = await stores.open();
        const forged = FORGED.map((number) => {
          const event_id = `${eventIdOf(1).slice(0, 10)}${String(number).padStart(22, '0')}`;
          return serverReport(number, { afterMs: forgedAfterMs, changes: { event_id } });
        });
        await store.ingest(forged);

        await browserFails(store, 2, await serverFails(store, 1, { source }));

        const linked = (await store.ask('event', eventIdOf(2)))?.linkedEvent;
        expect(linked?.eventId).toBe(eventIdOf(1));
        expect(linked?.provenance.isConfirmed).toBe(source === 'server');
      },
    );

    it('is the server’s of its trace among events with its reference that arrived before', async () => {
      const store = await stores.open();
      const contexts = { trace: { trace_id: 'ab'.repeat(16) } };
      const event_id = `${eventIdOf(1).slice(0, 10)}${'f'.repeat(22)}`;
      await store.ingest([serverReport(9, { afterMs: -1_000, changes: { event_id } })]);
      const names = await serverFails(store, 1, { changes: { contexts } });
      await browserFails(store, 2, names);
      await browserFails(store, 4, names, { changes: { contexts } });

      const linkedOf = async (number: number) =>
        (await store.ask('event', eventIdOf(number)))?.linkedEvent?.eventId;
      expect([await linkedOf(2), await linkedOf(4)]).toEqual([event_id, eventIdOf(1)]);
    });

    it('is found when the browser was offline for hours', async () => {
      const store = await stores.open();
      const names = await serverFails(store, 1);
      const timestamp = RECEIVED_MS / 1000;
      await browserFails(store, 2, names, { afterMs: 3 * HOUR_MS, changes: { timestamp } });

      expect([await othersOf(store, 1), await othersOf(store, 2)]).toEqual([
        [2, 0],
        [1, 0],
      ]);
    });

    it('is found when the browser’s clock is wrong by minutes, and the nearby event by its arrival', async () => {
      const store = await stores.open();
      const names = await serverFails(store, 1);
      const changes = { timestamp: RECEIVED_MS / 1000 - 300 };
      await browserFails(store, 2, names, { changes });
      await browserFails(store, 3, { digest: names.digest }, { changes });

      expect(await othersOf(store, 1)).toEqual([2, 3]);
      expect(await othersOf(store, 3)).toEqual([0, 1]);
    });
  });

  describe('the nearby event', () => {
    it('is the nearest in time, and no distant one', async () => {
      const store = await stores.open();
      await serverFails(store, 1, { afterMs: -DAY_MS });
      const { digest } = await serverFails(store, 2, { afterMs: -40_000 });
      await browserFails(store, 6, { digest }, { afterMs: 120_000 - DAY_MS });
      await serverFails(store, 3, { afterMs: -2_000 });
      await serverFails(store, 4, { afterMs: 30_000 });
      await browserFails(store, 5, { digest });

      expect(await othersOf(store, 5)).toEqual([0, 3]);
      expect(await othersOf(store, 6)).toEqual([0, 0]);
    });

    it('is none that names another error, although the issue has one that names this', async () => {
      const store = await stores.open();
      const { digest } = await serverFails(store, 1);
      await browserFails(store, 2, { digest }, { afterMs: 5_000 });
      await browserFails(store, 3, { digest: 'AAAA-AAAA' });

      expect(await othersOf(store, 1)).toEqual([0, 2]);
      expect(await othersOf(store, 3)).toEqual([0, 0]);
    });

    it('is none of the same source, and neither is the linked one', async () => {
      const store = await stores.open();
      await browserFails(store, 1, {});
      const { digest } = (await store.ask('event', eventIdOf(1))) ?? {};
      await browserFails(store, 2, { digest: digest ?? '', reference: referenceOf(eventIdOf(1)) });

      expect(await othersOf(store, 2)).toEqual([0, 0]);
    });
  });
}
