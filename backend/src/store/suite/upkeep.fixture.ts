import { envelopeOf, eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from '../envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NO_LIMIT = { maxAgeMs: 1e12, maxBytes: 1e12 };

function receivedDaysAgo(number: number, days: number) {
  const receivedAtMs = RECEIVED_MS - days * DAY_MS;
  return eventEnvelope(serverEvent(number, 'orders/load', { timestamp: receivedAtMs / 1000 }), {
    receivedAtMs,
  });
}

export function describeUpkeep(stores: StoresUnderTest): void {
  describe('retain', () => {
    it('deletes events older than the limit and keeps what it counted', async () => {
      const store = await stores.open();
      await store.ingest([receivedDaysAgo(1, 31), receivedDaysAgo(2, 29)]);

      const retained = await store.retain({ ...NO_LIMIT, maxAgeMs: 30 * DAY_MS }, RECEIVED_MS);

      expect(retained).toEqual({ events: 1, bytes: expect.any(Number) });
      expect(await store.event(eventIdOf(1))).toBeUndefined();
      expect(await store.issue(eventIdOf(2))).toMatchObject({
        events: 2,
        firstSeen: '2026-10-21T12:30:00.000Z',
      });
    });

    it('deletes the oldest events until the rest fits, more than one batch of them', async () => {
      const store = await stores.open();
      const numbers = Array.from({ length: 1_200 }, (_, index) => index + 1);
      await store.ingest(numbers.map((number) => receivedDaysAgo(number, 10 - number / 1_000)));
      const { bytes } = await store.retain({ ...NO_LIMIT, maxBytes: 0 }, RECEIVED_MS);
      await store.ingest(numbers.map((number) => receivedDaysAgo(number, 10 - number / 1_000)));

      const retained = await store.retain({ ...NO_LIMIT, maxBytes: Math.floor(bytes / 10) }, RECEIVED_MS);

      expect(retained.events).toBeGreaterThan(1_050);
      expect(retained.events).toBeLessThan(1_100);
      expect(await store.event(eventIdOf(1_080 - 60))).toBeUndefined();
      expect(await store.event(eventIdOf(1_200))).toBeDefined();
    });

    it('still answers for a digest whose events are all gone', async () => {
      const store = await stores.open();
      await store.ingest([receivedDaysAgo(1, 31)]);
      const digest = (await store.event(eventIdOf(1)))?.digest ?? '';

      await store.retain({ ...NO_LIMIT, maxAgeMs: DAY_MS }, RECEIVED_MS);

      expect(await store.issue(digest)).toMatchObject({ digest, events: 1, latest: null });
      expect((await store.find(digest)).reading).toBe('digest');
    });

    it('deletes old feedback and sessions nobody used since', async () => {
      const store = await stores.open();
      const report = { event_id: eventIdOf(2), comments: 'It broke.' };
      const receivedAtMs = RECEIVED_MS - 31 * DAY_MS;
      await store.ingest([
        receivedDaysAgo(2, 1),
        envelopeOf([{ type: 'user_report', payload: report }], { receivedAtMs }),
      ]);
      await store.saveSession({ tokenHash: 'a', createdAtMs: receivedAtMs, lastSeenAtMs: receivedAtMs });
      await store.saveSession({ tokenHash: 'b', createdAtMs: receivedAtMs, lastSeenAtMs: RECEIVED_MS });

      await store.retain({ ...NO_LIMIT, maxAgeMs: 30 * DAY_MS }, RECEIVED_MS);

      expect((await store.issue(eventIdOf(2)))?.feedback).toEqual([]);
      expect(await store.session('a')).toBeUndefined();
      expect(await store.session('b')).toBeDefined();
    });

    it('deletes nothing within the limits', async () => {
      const store = await stores.open();
      await store.ingest([receivedDaysAgo(1, 1)]);

      expect(await store.retain(NO_LIMIT, RECEIVED_MS)).toEqual({ events: 0, bytes: 0 });
    });
  });

  describe('sessions', () => {
    const session = { tokenHash: 'ab'.repeat(32), createdAtMs: RECEIVED_MS, lastSeenAtMs: RECEIVED_MS };

    it('are found by their hash, seen, and ended', async () => {
      const store = await stores.open();

      await store.saveSession(session);
      await store.touchSession(session.tokenHash, RECEIVED_MS + 5);
      const found = await store.session(session.tokenHash);
      await store.deleteSession(session.tokenHash);

      expect(found).toEqual({ ...session, lastSeenAtMs: RECEIVED_MS + 5 });
      expect(await store.session(session.tokenHash)).toBeUndefined();
    });

    it('outlive the process and are shared by replicas', async () => {
      const [store, other] = [await stores.open(), await stores.open()];

      await store.saveSession(session);

      expect(await other.session(session.tokenHash)).toEqual(session);
    });
  });

  describe('ownProjectKey', () => {
    it('is made once for all who share the database', async () => {
      const [store, other] = [await stores.open(), await stores.open()];

      const keys = [await store.ownProjectKey(), await other.ownProjectKey(), await store.ownProjectKey()];

      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(new Set(keys).size).toBe(1);
    });
  });
}
