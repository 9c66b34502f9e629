import { browserEvent, eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import type { EventContent } from '../../contract/event-api.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/** Finds the events from 1 to `count` in turn: the store limits the time that a query waits for a connection. */
async function firstEvents(
  store: TestedStore,
  count: number,
): Promise<readonly (EventContent | undefined)[]> {
  const events: (EventContent | undefined)[] = [];
  for (let number = 1; number <= count; number += 1) events.push(await store.ask('event', eventIdOf(number)));
  return events;
}

export function describeFlood(stores: StoresUnderTest): void {
  describe('a flood of one error', () => {
    it('has its repeats stored in brief, with the same members as a full event and no secret', async () => {
      const store = await stores.open();
      const said = (number: number) =>
        eventEnvelope(
          browserEvent(number, {
            user: { id: '7', email: 'ann@shop.example' },
            tags: { note: 'password=hunter2', page: 'cart' },
            request: {
              url: 'https://shop.example/cart/4111111111111111',
              headers: [['user-agent', USER_AGENT]],
            },
            exception: {
              values: [
                { type: 'Cause', value: 'token=abc123' },
                { type: 'TypeError', value: 'no login with password=hunter2', name: 'x' },
                { name: 'password', value: 'hunter2' },
              ],
            },
          }),
        );

      await store.ingest(Array.from({ length: 102 }, (_, index) => said(index + 1)));

      const events = await firstEvents(store, 102);
      const brief = events.find((event) => event?.brief === true);
      const full = events.find((event) => event?.brief !== true);
      // The members that a brief event lacks, and its id.
      const apart = { request: null, userFacts: [], timeline: expect.anything() };
      const facts = { ...apart, eventId: expect.anything(), reference: expect.anything() };
      expect({ ...brief, brief: undefined, ...facts }).toEqual({ ...full, ...facts });
      expect(brief).toMatchObject({ browser: 'Chrome 156 on Linux', title: '[Filtered]' });
      expect(JSON.stringify(brief)).not.toMatch(/hunter2|abc123|4111111111111111/);
    });

    it('has few repeats stored in full, but each counted and found', async () => {
      const store = await stores.open();
      const flood = Array.from({ length: 400 }, (_, index) => eventEnvelope(serverEvent(index + 1)));

      await store.ingest(flood.slice(0, 250));
      await store.ingest(flood.slice(250));

      const events = await firstEvents(store, 400);
      const full = events.filter((event) => event?.brief !== true);
      expect(full).toHaveLength(130);
      expect(events.every((event) => event?.exceptions[0]?.value.startsWith('order '))).toBe(true);
      const answer = await store.ask('issue', eventIdOf(400));
      expect(answer?.events).toBe(400);
      expect(answer?.latest?.exceptions[0]?.frames).toHaveLength(2);
    });
  });
}
