import fc from 'fast-check';
import {
  browserEvent,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { DAY_MS } from '../../time/iso.ts';

const TRACE = 'ab'.repeat(16);

/** A failure of the server so many ms after the moment of all fixtures, and what the store calls it. */
async function serverFails(store: TestedStore, number: number, afterMs = 0, changes: EventBody = {}) {
  const timestamp = (RECEIVED_MS + afterMs) / 1000;
  await store.ingest([eventEnvelope(serverEvent(number, 'orders/load', { timestamp, ...changes }))]);
  return (await store.ask('event', eventIdOf(number)))?.digest ?? '';
}

/** A browser's failure that came of an answer with this digest. */
async function browserFails(store: TestedStore, number: number, digest: string, changes: EventBody = {}) {
  const body = browserEvent(number, { tags: { 'errata.server_digest': digest }, ...changes });
  await store.ingest([eventEnvelope(body)]);
  return store.ask('event', eventIdOf(number));
}

function traced(traceId: string): EventBody {
  return { contexts: { trace: { trace_id: traceId } } };
}

export function describeAnswer(stores: StoresUnderTest): void {
  describe('event', () => {
    it('shows user, place and request of an event', async () => {
      const store = await stores.open();
      const body = serverEvent(1, 'a/a', {
        server_name: 'web-7d9',
        contexts: { runtime: { name: 'node', version: 'v26' } },
        user: { id: '7', email: 'ann@shop.example', plan: 'gold' },
      });
      await store.ingest([eventEnvelope(body)]);

      expect(await store.ask('event', eventIdOf(1))).toMatchObject({
        user: 'ann@shop.example',
        server: 'web-7d9',
        received: '2026-11-21T12:30:00.000Z',
        request: { method: 'GET', url: 'https://shop.example/orders/4711', query: 'token=[Filtered]' },
        contexts: [
          {
            name: 'runtime',
            values: [
              ['name', 'node'],
              ['version', 'v26'],
            ],
          },
        ],
        userFacts: [
          ['id', '7'],
          ['email', 'ann@shop.example'],
          ['plan', 'gold'],
        ],
        linkedEvent: null,
        spool: 4_711,
      });
    });

    it('is downloaded as it is stored: complete and scrubbed', async () => {
      const store = await stores.open();
      const body = serverEvent(1, 'a/a', { extra: { note: 'password=hunter2', list: [1, { deep: true }] } });
      await store.ingest([eventEnvelope(body)]);

      const raw = await store.ask('rawEvent', eventIdOf(1));

      expect(JSON.parse(raw ?? '')).toMatchObject({
        event_id: eventIdOf(1),
        extra: { note: 'password=[Filtered]', list: [1, { deep: true }] },
      });
      expect(await store.ask('rawEvent', eventIdOf(2))).toBeUndefined();
      expect(await store.ask('rawEvent', '../secret')).toBeUndefined();
    });

    it('is shown for any shape of its members', async () => {
      const store = await stores.open();
      const names = [
        'user',
        'request',
        'contexts',
        'breadcrumbs',
        'exception',
        'tags',
        'extra',
        'server_name',
      ];
      let number = 0;

      await fc.assert(
        fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), async (parts) => {
          number += 1;
          await store.ingest([eventEnvelope({ ...browserEvent(number), ...parts })]);
          const answer = await store.ask('event', eventIdOf(number));
          expect(answer?.timeline.length).toBeGreaterThan(0);
          expect(structuredClone(answer)).toEqual(answer);
        }),
        { numRuns: 60 },
      );
    });
  });

  describe('the linked event', () => {
    it('is the server event that caused a browser event, and the browser event that it caused', async () => {
      const store = await stores.open();
      const digest = await serverFails(store, 1, -900);

      const browser = await browserFails(store, 2, digest);

      const server = await store.ask('event', eventIdOf(1));
      expect(browser?.linkedEvent).toMatchObject({ eventId: eventIdOf(1), digest });
      expect(server?.linkedEvent).toMatchObject({ eventId: eventIdOf(2), digest: browser?.digest });
      expect(server?.timeline).toEqual(browser?.timeline);
      expect(browser?.timeline.map(({ kind, category }) => `${kind} ${category}`)).toEqual([
        'server request',
        'server exception',
        'browser exception',
      ]);
    });

    it('is the event nearest in time', async () => {
      const store = await stores.open();
      await serverFails(store, 1, -40_000);
      await serverFails(store, 2, -2_000);
      const digest = await serverFails(store, 3, 30_000);

      expect((await browserFails(store, 4, digest))?.linkedEvent?.eventId).toBe(eventIdOf(2));
    });

    it('is the event of the same trace, also when another one is nearer', async () => {
      const store = await stores.open();
      await serverFails(store, 1, -300_000, traced(TRACE));
      const digest = await serverFails(store, 2, -10, traced('0'.repeat(32)));

      const browser = await browserFails(store, 3, digest, traced(TRACE.toUpperCase()));

      expect(browser?.linkedEvent?.eventId).toBe(eventIdOf(1));
    });

    it('is found by its arrival when the browser’s clock is wrong by minutes', async () => {
      const store = await stores.open();
      const digest = await serverFails(store, 1);

      const browser = await browserFails(store, 2, digest, { timestamp: RECEIVED_MS / 1000 - 300 });

      expect(browser?.linkedEvent?.eventId).toBe(eventIdOf(1));
    });

    it('is neither a distant event nor one of a browser event that names another error', async () => {
      const store = await stores.open();
      const old = { receivedAtMs: RECEIVED_MS - DAY_MS };
      await store.ingest([
        eventEnvelope(serverEvent(1, 'orders/load', { timestamp: (RECEIVED_MS - DAY_MS) / 1000 }), old),
      ]);
      const digest = (await store.ask('event', eventIdOf(1)))?.digest ?? '';
      const far = await browserFails(store, 2, digest);
      await serverFails(store, 3);
      const other = await browserFails(store, 4, 'AAAA-AAAA');

      expect([far?.linkedEvent, other?.linkedEvent]).toEqual([null, null]);
      // The issue of 2 and 4 is the same one, and 2 is what named the server's.
      expect((await store.ask('event', eventIdOf(3)))?.linkedEvent?.eventId).toBe(eventIdOf(2));
    });
  });

  describe('deleted events', () => {
    it('stay counted', async () => {
      const store = await stores.open();
      await serverFails(store, 1);
      await serverFails(store, 2);
      const before = await store.ask('find', '');

      await store.ask('retain', { maxAgeMs: 0, maxBytes: 0 }, RECEIVED_MS + 1);
      await serverFails(store, 3);
      await store.ask('retain', { maxAgeMs: 0, maxBytes: 0 }, RECEIVED_MS + 1);

      expect(before.hint?.deleted).toBe(0);
      expect((await store.ask('find', '')).hint?.deleted).toBe(3);
      expect(await store.ask('storedEvents')).toBe(3);
    });

    it('are named in a text by id or reference', async () => {
      const store = await stores.open();
      const text = `Digest: 7KQ4-M2XD\nReference: 0000-0051\nEvent id: ${eventIdOf(10)}`;

      const { hint } = await store.ask('find', text);

      expect(hint?.eventIds).toEqual(expect.arrayContaining([eventIdOf(10), '00000000a1']));
    });
  });
}
