import { randomBytes } from 'node:crypto';
import { NO_SENDER } from '../../sink/queued-envelope.ts';
import { MAX_NEW_ISSUES } from '../ingest/sender-counts.ts';
import {
  browserEvent,
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { EventContent } from '../../contract/event-api.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/** Finds `count` events in turn: the store limits the time that a query waits for a connection. */
async function foundEvents(
  store: TestedStore,
  count: number,
  first = 1,
): Promise<readonly (EventContent | undefined)[]> {
  const events: (EventContent | undefined)[] = [];
  for (let number = first; number < first + count; number += 1)
    events.push(await store.ask('event', eventIdOf(number)));
  return events;
}

/** Stores `count` copies of one error and returns those that are stored in full. */
async function fullOf(
  store: TestedStore,
  { first = 1, count, address }: Flood,
): Promise<readonly (EventContent | undefined)[]> {
  await store.ingest(
    Array.from({ length: count }, (_, index) =>
      eventEnvelope(serverEvent(first + index), { sender: { ...NO_SENDER, address: address(index) } }),
    ),
  );
  return (await foundEvents(store, count, first)).filter((event) => event?.brief !== true);
}

interface Flood {
  readonly first?: number;
  readonly count: number;
  readonly address: (index: number) => string | null;
}

export function describeFlood(stores: StoresUnderTest): void {
  describe('a flood of one network', () => {
    it('leaves the events and issues of all others when the store is full', async () => {
      const maxBytes = 4 * 2 ** 20;
      const store = await stores.openRetaining({ maxAgeMs: 1e12, maxBytes });
      const from = (address: string, number: number, noise = 0) =>
        eventEnvelope(
          serverEvent(number, `shop/${number}`, { extra: { noise: randomBytes(noise).toString('base64') } }),
          { sender: { ...NO_SENDER, address } },
        );
      const honest = Array.from({ length: 15 }, (_, index) => index + 1);
      await store.ingest(honest.map((number) => from(`198.51.${number % 3}.1`, number)));
      const flood = Array.from({ length: MAX_NEW_ISSUES + 300 }, (_, index) => index + 100);
      await store.ingest(flood.map((number) => from('203.0.113.7', number, 6_000)));

      const { early } = await store.ask('retain', { maxAgeMs: 1e12, maxBytes }, RECEIVED_MS);

      const found = await foundEvents(store, honest.length);
      const issues = await Promise.all(
        honest.map((_, index) => store.ask('find', found[index]?.digest ?? 'gone')),
      );
      expect(issues.map(({ reading }) => reading)).toEqual(honest.map(() => 'digest'));
      expect(early).toBeGreaterThan(500);
      expect(early).toBeLessThan(flood.length);
    });
  });

  describe('a flood of feedback', () => {
    it('leaves the feedback of all others when there is no space for all of it', async () => {
      // Space for 48; the share of a network is one an hour.
      const limits = { maxAgeMs: 1e12, maxBytes: 48 * 8 * 5_500 };
      const store = await stores.openRetaining(limits);
      const reports = (address: string, comments: string, count: number) => {
        const items = Array.from({ length: count }, (_, index) => ({
          type: 'user_report',
          payload: { comments, name: `${comments} ${index}` },
        }));
        return envelopeOf(items, { sender: { ...NO_SENDER, address } });
      };
      await store.ingest([
        reports('198.51.100.9', 'honest', 1),
        reports('198.51.101.9', 'other', 1),
        ...Array.from({ length: 10 }, (_, index) => reports('203.0.113.7', `forged ${index}`, 10)),
      ]);

      await store.ask('retain', limits, RECEIVED_MS);

      const { feedback } = await store.ask('feedback', 100, null);
      expect(feedback).toHaveLength(48);
      expect(feedback.map(({ message }) => message)).toEqual(expect.arrayContaining(['honest', 'other']));
    });
  });

  describe('a flood of new users', () => {
    it('is found by user up to the share of its network for facts, and by its ids above it', async () => {
      const store = await stores.openRetaining({ maxAgeMs: 1e12, maxBytes: 4 * 48 * 1_500 });
      const from = (address: string, number: number) =>
        eventEnvelope(serverEvent(number, 'shop/cart', { user: { id: `reader ${number}` } }), {
          sender: { ...NO_SENDER, address },
        });
      const usersFound = async (numbers: readonly number[]) => {
        const found = await Promise.all(
          numbers.map((number) => store.ask('find', `user:"reader ${number}"`)),
        );
        return found.map(({ issues }) => issues.length);
      };

      for (const number of [1, 2, 3]) await store.ingest([from('203.0.113.7', number)]);
      await store.ingest(Array.from({ length: 50 }, (_, index) => from('203.0.113.8', index + 4)));
      await store.ingest([from('198.51.100.9', 100)]);

      expect(await usersFound([1, 2, 3, 53, 100])).toEqual([1, 1, 1, 0, 1]);
      expect((await foundEvents(store, 53)).filter((event) => event === undefined)).toEqual([]);
      const { users = 0, events } = (await store.ask('issue', eventIdOf(1))) ?? {};
      expect([events, users > 4, users < 12]).toEqual([54, true, true]);
    });
  });

  describe('a flood of new issues', () => {
    it('is counted in one issue of its sender from the cap on, and each event is found', async () => {
      const store = await stores.open();
      const stored = async (first: number, count: number, address: string | null) =>
        store.ingest(
          Array.from({ length: count }, (_, index) =>
            eventEnvelope(serverEvent(first + index, `made/${first + index}`), {
              sender: { ...NO_SENDER, address },
            }),
          ),
        );

      await stored(1, MAX_NEW_ISSUES - 1, '203.0.113.1');
      await stored(2_001, 3, '203.0.113.2');
      await stored(3_001, 2, '203.0.113.3');
      await stored(4_001, 1, '198.51.100.9');
      await stored(5_001, 1, null);
      await store.ingest([
        eventEnvelope(serverEvent(6_001, 'made/7'), { sender: { ...NO_SENDER, address: '203.0.113.4' } }),
      ]);

      const further = await store.ask('issue', eventIdOf(3_002));
      expect(further).toMatchObject({
        events: 4,
        title: 'Further errors from 203.0.113.0/24, after 1,000 new issues in an hour',
      });
      const found = await foundEvents(store, 3, 2_001);
      expect(found.map((event) => event?.digest === further?.digest)).toEqual([false, true, true]);
      expect(found.map((event) => event?.title)).toEqual([
        'TypeError: order 2001 has no items',
        'TypeError: order 2002 has no items',
        'TypeError: order 2003 has no items',
      ]);
      const others = await Promise.all(
        [4_001, 5_001, 6_001].map((number) => store.ask('issue', eventIdOf(number))),
      );
      expect(others.map((issue) => issue?.events)).toEqual([1, 1, 2]);
    });
  });

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

      const events = await foundEvents(store, 102);
      const brief = events.find((event) => event?.brief === true);
      const full = events.find((event) => event?.brief !== true);
      // The members that a brief event lacks, and its id.
      const apart = { request: null, userFacts: [], timeline: expect.anything() };
      const facts = { ...apart, eventId: expect.anything(), reference: expect.anything() };
      expect({ ...brief, brief: undefined, ...facts }).toEqual({ ...full, ...facts });
      expect(brief).toMatchObject({ browser: 'Chrome 156 on Linux', title: '[Filtered]' });
      expect(JSON.stringify(brief)).not.toMatch(/hunter2|abc123|4111111111111111/);
    });

    it('cannot hold the thread by costly texts: the events of an envelope share what is scrubbed', async () => {
      const store = await stores.open();
      const text = 'a'.repeat(2 ** 16);
      const changes = {
        exception: { values: [{ value: text }] },
        extra: Array.from({ length: 16 }, () => text),
      };
      const costly = (number: number) => serverEvent(number, '', changes);
      const items = [1, 2].map((number) => ({ type: 'event', payload: costly(number) }));

      await store.ingest([envelopeOf(items), eventEnvelope(costly(3))]);

      const values = (await foundEvents(store, 3)).map((event) => event?.exceptions[0]?.value.slice(0, 11));
      expect(values).toEqual(['aaaaaaaaaaa', '[Truncated]', 'aaaaaaaaaaa']);
    });

    it('leaves their title and release to events behind those that have spent what is scrubbed', async () => {
      const store = await stores.open();
      // Of 64 KiB down to one character, so that none of the budget is left.
      const extra = Array.from({ length: 32 }, (_, index) => 'a'.repeat(2 ** Math.min(16, 31 - index)));
      const costly = serverEvent(1, '', { extra });
      const items = [costly, serverEvent(2)].map((payload) => ({ type: 'event', payload }));

      await store.ingest([envelopeOf(items)]);

      expect((await foundEvents(store, 2))[1]).toMatchObject({
        release: 'shop@1.0.0',
        exceptions: [{ value: 'order 2 has no items' }],
      });
    });

    it('has few repeats stored in full, but each counted and found', async () => {
      const store = await stores.open();
      const flood = Array.from({ length: 400 }, (_, index) => eventEnvelope(serverEvent(index + 1)));

      await store.ingest(flood.slice(0, 250));
      await store.ingest(flood.slice(250));

      const events = await foundEvents(store, 400);
      const full = events.filter((event) => event?.brief !== true);
      expect(full).toHaveLength(130);
      expect(events.every((event) => event?.exceptions[0]?.value.startsWith('order '))).toBe(true);
      const answer = await store.ask('issue', eventIdOf(400));
      expect(answer?.events).toBe(400);
      expect(answer?.latest?.exceptions[0]?.frames).toHaveLength(2);
    });

    it('of one network leaves events in full to the next one, and has its own samples', async () => {
      const store = await stores.open();

      const forged = await fullOf(store, { count: 1_000, address: (index) => `203.0.113.${index % 250}` });
      const honest = await fullOf(store, { first: 1_001, count: 20, address: () => '198.51.100.9' });
      const own = await fullOf(store, { first: 2_001, count: 100, address: () => null });

      expect([forged.length, honest.length, own.length]).toEqual([190, 20, 90]);
    });

    it('of one network has ten more events in full at most where two batches of it are stored at the same time', async () => {
      const store = await stores.open();
      await fullOf(store, { first: 1_000, count: 1, address: () => '203.0.113.7' });

      const both = await Promise.all(
        [1, 61].map((first) => fullOf(store, { first, count: 60, address: () => '203.0.113.7' })),
      );

      // A hundred, ten more that were planned before the first ten were counted, and at most every tenth of the others.
      expect(both.flat().length).toBeGreaterThanOrEqual(99);
      expect(both.flat().length).toBeLessThanOrEqual(112);
    });

    it('of many networks has a hundred events in full and its samples', async () => {
      const store = await stores.open();

      const full = await fullOf(store, { count: 150, address: (index) => `10.0.${index}.1` });

      expect(full).toHaveLength(105);
    });
  });
}
