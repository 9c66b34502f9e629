import fc from 'fast-check';
import { browserEvent, eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

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
        nearbyEvent: null,
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

  describe('deleted events', () => {
    it('stay counted', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(serverEvent(2))]);
      const before = await store.ask('find', '');

      await store.ask('retain', { maxAgeMs: 0, maxBytes: 0 }, RECEIVED_MS + 1);
      await store.ingest([eventEnvelope(serverEvent(3))]);
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
