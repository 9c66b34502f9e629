import {
  browserEvent,
  envelopeOf,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { DAY_MS } from '../../time/iso.ts';

const NOW_MS = RECEIVED_MS + 60_000;

function eventOf(number: number, user: EventBody, file = 'orders/load', changes: EventBody = {}) {
  return eventEnvelope(serverEvent(number, file, { user, ...changes }));
}

function report(number: number, facts: EventBody) {
  const payload = { event_id: eventIdOf(number), comments: 'It broke.', ...facts };
  return envelopeOf([{ type: 'user_report', payload }]);
}

async function kept(store: TestedStore, numbers: readonly number[]): Promise<readonly number[]> {
  const found = await Promise.all(numbers.map((number) => store.ask('event', eventIdOf(number))));
  return numbers.filter((_, index) => found[index] !== undefined);
}

export function describeErasure(stores: StoresUnderTest): void {
  describe('erase', () => {
    it.each(['ann@shop.example', ' ANN@Shop.example', '7', 'ANNIE'])(
      'erases the events of a user by id, name or email: %s',
      async (user) => {
        const store = await stores.open();
        const ann = { id: '7', email: 'Ann@shop.example', username: 'annie' };
        await store.ingest([
          eventOf(1, ann),
          eventOf(2, { email: 'ben@shop.example', id: '77' }),
          eventOf(3, ann, 'cart/total'),
          eventOf(4, {}),
        ]);

        const { events } = await store.ask('erase', { user }, NOW_MS);

        expect(events).toBe(2);
        expect(await kept(store, [1, 2, 3, 4])).toEqual([2, 4]);
      },
    );

    it('erases brief events of a user, too', async () => {
      const store = await stores.open();
      const numbers = Array.from({ length: 120 }, (_, index) => index + 1);
      await store.ingest(numbers.map((number) => eventOf(number, { id: '7', email: 'ann@shop.example' })));
      const { brief } = (await store.ask('event', eventIdOf(118))) ?? {};

      const { events } = await store.ask('erase', { user: '7' }, NOW_MS);

      expect([brief, events]).toEqual([true, 120]);
      expect(await kept(store, numbers)).toEqual([]);
    });

    it('keeps the counts, and rebuilds the issue from its remaining events', async () => {
      const store = await stores.open();
      const exception = (name: string) => ({
        exception: { values: [{ type: 'TypeError', value: `no account of ${name}` }] },
        transaction: 'GET /account',
        request: {},
      });
      await store.ingest([eventOf(1, { id: '1' }, 'a', exception('ben@shop.example'))]);
      await store.ingest([eventOf(2, { id: '2' }, 'a', exception('ann@shop.example'))]);
      const digest = (await store.ask('event', eventIdOf(1)))?.digest ?? '';
      const titles: (string | undefined)[] = [(await store.ask('issue', digest))?.title];

      await store.ask('erase', { user: '2' }, NOW_MS);
      titles.push((await store.ask('issue', digest))?.title);
      await store.ask('erase', { user: '1' }, NOW_MS);

      const issue = await store.ask('issue', digest);
      expect([...titles, issue?.title]).toEqual([
        'TypeError: no account of ann@shop.example',
        'TypeError: no account of ben@shop.example',
        'TypeError',
      ]);
      expect(issue).toMatchObject({ events: 2, latest: null });
    });

    it('finds issues by words of the remaining events and not by words of erased ones', async () => {
      const store = await stores.open();
      const said = (name: string) => ({
        exception: { values: [{ type: 'TypeError', value: `no account of ${name}@shop.example` }] },
        request: { url: `https://shop.example/of/${name}` },
      });
      await store.ingest([eventOf(1, { id: 'ben' }, 'a', said('ben'))]);
      await store.ask('erase', { before: new Date(RECEIVED_MS - 1).toISOString() }, NOW_MS);
      await store.ingest([
        eventOf(3, { email: 'ann@shop.example', id: 'cust-7', username: 'ann7' }, 'b', said('ann')),
        eventOf(2, { email: 'cleo@shop.example', id: 'cust-8' }, 'b', said('cleo')),
      ]);
      const reading = async (query: string) => (await store.ask('find', query)).issues.length;
      const queries = [
        '"account of ann"',
        'user:ann@shop.example',
        'url:/of/ann',
        '"account of ben"',
        'url:/of/ben',
        'user:cust-7',
        'user:ann7',
        'user:cust-8',
      ];
      const before = await Promise.all(queries.map(reading));

      await store.ask('erase', { user: 'ann@shop.example' }, NOW_MS);

      expect(before).toEqual(Array(queries.length).fill(1));
      expect(await Promise.all(queries.map(reading))).toEqual([0, 0, 0, 1, 1, 0, 0, 1]);
    });

    it.each([{ user: 'ann@shop.example' }, { before: new Date(RECEIVED_MS + 1).toISOString() }])(
      'erases with %j the traces of events that retention has deleted',
      async (erasure) => {
        const store = await stores.open();
        const exception = { values: [{ type: 'TypeError', value: 'no account of ann@shop.example' }] };
        const request = { url: 'https://shop.example/of/ann' };
        const ann = { email: 'ann@shop.example', id: 'cust-7' };
        await store.ingest([eventOf(1, ann, 'a', { exception, request })]);
        const digest = (await store.ask('event', eventIdOf(1)))?.digest ?? '';
        // Less than the event and its issue; its facts fit into their share of it.
        await store.ask('retain', { maxAgeMs: 1e12, maxBytes: 4_000 }, RECEIVED_MS);
        const reading = async (query: string) => (await store.ask('find', query)).issues.length;
        const queries = ['user:ann@shop.example', 'user:cust-7', '"account of ann"'];
        const before = await Promise.all(queries.map(reading));

        await store.ask('erase', erasure, NOW_MS);

        expect(before).toEqual([1, 1, 1]);
        expect(await Promise.all(queries.map(reading))).toEqual([0, 0, 0]);
        expect(await store.ask('issue', digest)).toMatchObject({ title: 'TypeError', events: 1 });
      },
    );

    it('finds an issue by its text again after a new event', async () => {
      const store = await stores.open();
      const ann = { user: { email: 'ann@shop.example' } };
      await store.ingest([eventEnvelope(serverEvent(1, 'a', ann))]);
      await store.ask('erase', { user: 'ann@shop.example' }, NOW_MS);

      await store.ingest([eventEnvelope(serverEvent(2, 'a', ann), { receivedAtMs: NOW_MS + 1 })]);

      expect((await store.ask('find', 'user:ann@shop.example')).issues).toHaveLength(1);
      expect((await store.ask('find', '"has no items"')).issues).toHaveLength(1);
    });

    it('erases one event with its feedback', async () => {
      const store = await stores.open();
      await store.ingest([
        eventOf(1, {}),
        eventOf(2, {}),
        report(1, { name: 'Ann' }),
        report(2, { name: 'Ben' }),
      ]);

      const erased = await store.ask('erase', { eventId: eventIdOf(1) }, NOW_MS);

      expect(erased).toMatchObject({ events: 1, feedback: 1 });
      expect(await kept(store, [1, 2])).toEqual([2]);
      expect((await store.ask('issue', eventIdOf(2)))?.feedback.map(({ name }) => name)).toEqual(['Ben']);
    });

    it('erases feedback that a user wrote about other events, or without an event', async () => {
      const store = await stores.open();
      await store.ingest([
        eventOf(1, {}),
        eventOf(2, {}),
        report(1, { name: 'Ann', email: 'ann@shop.example' }),
        report(9, { name: 'Ann', email: 'ann@shop.example' }),
        report(2, { name: 'Ben', comments: 'For me, too.' }),
      ]);

      const erased = await store.ask('erase', { user: 'ann@shop.example' }, NOW_MS);

      expect(erased).toMatchObject({ events: 0, feedback: 2 });
      expect((await store.ask('issue', eventIdOf(1)))?.feedback.map(({ name }) => name)).toEqual(['Ben']);
    });

    it('erases all data received before a time', async () => {
      const store = await stores.open();
      const at = (number: number, receivedAtMs: number) =>
        eventEnvelope(serverEvent(number), { receivedAtMs });
      const old = Array.from({ length: 250 }, (_, index) => at(index + 1, RECEIVED_MS - DAY_MS));
      await store.ingest([...old, at(1_000, RECEIVED_MS)]);

      const before = new Date(RECEIVED_MS).toISOString();
      const { events } = await store.ask('erase', { before }, NOW_MS);

      expect(events).toBe(250);
      expect(await kept(store, [1, 250, 1_000])).toEqual([1_000]);
    });

    it('erases no data received later, also for a time in the future', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1), { receivedAtMs: NOW_MS + 1 })]);

      const { events } = await store.ask('erase', { before: '2999-01-01T00:00:00Z' }, NOW_MS);

      expect(events).toBe(0);
    });

    it('stores no matching data received before the erasure, and data received after it as before', async () => {
      const store = await stores.open();
      await store.ask('erase', { user: 'ann@shop.example' }, NOW_MS);
      const ann = { user: { email: 'ann@shop.example' } };

      const settled = await store.ingest([
        eventEnvelope(serverEvent(1, 'a', ann), { receivedAtMs: NOW_MS - 1 }),
        eventEnvelope(browserEvent(2), { receivedAtMs: NOW_MS - 1 }),
        eventEnvelope(serverEvent(3, 'a', ann), { receivedAtMs: NOW_MS + 1 }),
        report(4, { email: 'ann@shop.example' }),
      ]);

      expect(settled.map(({ outcome }) => outcome)).toEqual(Array(4).fill('delivered'));
      expect(await kept(store, [1, 2, 3])).toEqual([2, 3]);
    });

    it('misses no row that another replica is writing', async () => {
      const one = await stores.open();
      // The frames of its own events are mapped between the look for rules and the writing.
      let erased: Promise<unknown> | undefined;
      const mapper = new SourceMapper(async () => {
        erased ??= one.ask('erase', { user: 'ann@shop.example' }, NOW_MS);
        await erased;
        return undefined;
      });
      const other = await stores.open(undefined, { own: { root: '/srv/shop', mapper } });
      const events = [
        eventEnvelope(serverEvent(1, 'orders/load', { user: { email: 'ann@shop.example' } }), {
          source: 'own',
        }),
        eventEnvelope(serverEvent(2, 'orders/load', { user: { email: 'ben@shop.example' } }), {
          source: 'own',
        }),
      ];

      const settled = await other.ingest(events);

      expect(erased).toBeDefined();
      expect(settled.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered']);
      expect(await kept(one, [1, 2])).toEqual([2]);
    });

    it('ends while another replica receives matching data', async () => {
      const [one, other] = [await stores.open(), await stores.open()];
      await one.ask('storedKey', 'own_project_key');
      const batches = Array.from({ length: 20 }, (_, batch) =>
        Array.from({ length: 20 }, (__, index) =>
          eventOf(batch * 20 + index + 1, { email: 'ann@shop.example' }),
        ),
      );
      const taking = batches.map((batch) => other.ingest(batch));

      await one.ask('erase', { user: 'ann@shop.example' }, NOW_MS);
      await Promise.all(taking);

      expect((await one.ask('erase', { before: new Date(NOW_MS).toISOString() }, NOW_MS)).events).toBe(0);
    });

    it('erases the name from searches in the audit log, and keeps the entries', async () => {
      const store = await stores.open();
      const look = { atMs: RECEIVED_MS, who: 'ben', role: 'support', action: 'find', detail: null } as const;
      await store.ask('writeAudit', { ...look, target: 'user:Ann@shop.example' });
      await store.ask('writeAudit', { ...look, target: '100_%' });
      await store.ask('writeAudit', { ...look, target: 'user:ÖZGE Çelik' });

      await store.ask('erase', { user: 'ann@shop.example' }, NOW_MS);
      await store.ask('erase', { user: '%' }, NOW_MS);
      await store.ask('erase', { user: 'Özge çelik' }, NOW_MS);

      const { entries } = await store.ask('audit', null, 10);
      expect(entries.map(({ target }) => target)).toEqual(['[erased]', '[erased]', '[erased]']);
    });
  });
}
