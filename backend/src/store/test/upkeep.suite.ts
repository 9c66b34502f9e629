import { envelopeOf, eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { StoredSession } from '../access/session-rows.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { digestOfEvent } from './tested-store.fixture.ts';
import { DAY_MS, HOUR_MS } from '../../time/iso.ts';

/** Of what the store may take, what makes room for one issue: they have a quarter of it. */
const ISSUE_ROOM = 4 * 3_700;
const NO_LIMIT = { maxAgeMs: 1e12, maxBytes: 1e12 };

function receivedDaysAgo(number: number, days: number) {
  const receivedAtMs = RECEIVED_MS - days * DAY_MS;
  return eventEnvelope(serverEvent(number, 'orders/load', { timestamp: receivedAtMs / 1000 }), {
    receivedAtMs,
  });
}

export function describeUpkeep(stores: StoresUnderTest): void {
  describe('retain', () => {
    it('deletes events older than the limit and keeps the counts', async () => {
      const store = await stores.open();
      await store.ingest([receivedDaysAgo(1, 31), receivedDaysAgo(2, 29)]);

      const retained = await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 30 * DAY_MS }, RECEIVED_MS);

      expect(retained).toEqual({ events: 1, bytes: expect.any(Number), issues: 0, feedback: 0, early: 0 });
      expect(await store.ask('event', eventIdOf(1))).toBeUndefined();
      expect(await store.ask('issue', eventIdOf(2))).toMatchObject({
        events: 2,
        firstSeen: '2026-10-21T12:30:00.000Z',
      });
    });

    it('deletes the oldest events until the rest fits, more than one batch of them', async () => {
      const store = await stores.open();
      const numbers = Array.from({ length: 1_200 }, (_, index) => index + 1);
      await store.ingest(numbers.map((number) => receivedDaysAgo(number, 10 - number / 1_000)));
      const { bytes } = await store.ask('retain', { ...NO_LIMIT, maxBytes: 0 }, RECEIVED_MS);
      await store.ingest(numbers.map((number) => receivedDaysAgo(number, 10 - number / 1_000)));

      const retained = await store.ask(
        'retain',
        { ...NO_LIMIT, maxBytes: Math.floor(bytes / 10) },
        RECEIVED_MS,
      );

      expect(retained.events).toBeGreaterThan(1_050);
      expect(retained.events).toBeLessThan(1_100);
      expect(await store.ask('event', eventIdOf(1_080 - 60))).toBeUndefined();
      expect(await store.ask('event', eventIdOf(1_200))).toBeDefined();
    });

    it('still finds a digest whose events are all deleted', async () => {
      const store = await stores.open();
      await store.ingest([receivedDaysAgo(1, 31)]);
      const digest = (await store.ask('event', eventIdOf(1)))?.digest ?? '';

      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: DAY_MS }, RECEIVED_MS);

      expect(await store.ask('issue', digest)).toMatchObject({ digest, events: 1, latest: null });
      expect((await store.ask('find', digest)).reading).toBe('digest');
    });

    it('deletes issues that no operator worked on, least recently seen first', async () => {
      const store = await stores.open();
      const files = Array.from({ length: 9 }, (_, index) => `forged/${index}`);
      const digests: string[] = [];
      for (const [index, file] of files.entries()) {
        const receivedAtMs = RECEIVED_MS - (20 - index) * DAY_MS;
        const body = serverEvent(index + 1, file, { timestamp: receivedAtMs / 1000 });
        await store.ingest([eventEnvelope(body, { receivedAtMs })]);
        digests.push((await store.ask('event', eventIdOf(index + 1)))?.digest ?? '');
      }
      const { key = '', project = '' } = (await store.ask('issue', digests[0] ?? '')) ?? {};
      await store.ask('setStatus', { issues: [{ key, project }], status: 'resolved' });
      await store.ask('addNote', digests[1] ?? '', { author: 'ann', text: 'Known.' });
      await store.ask('retain', { maxAgeMs: 13 * DAY_MS, maxBytes: 1e12 }, RECEIVED_MS);

      const retained = await store.ask('retain', { ...NO_LIMIT, maxBytes: 5 * ISSUE_ROOM }, RECEIVED_MS);

      const found = await Promise.all(digests.map((digest) => store.ask('issue', digest)));
      expect(retained.issues).toBe(4);
      expect(digests.filter((_, index) => found[index] === undefined)).toEqual(digests.slice(2, 6));
      expect(await store.ask('storedEvents')).toBe(9);
      await store.ingest([eventEnvelope(serverEvent(90, 'forged/3'))]);
      expect((await store.ask('find', '"order 90"')).issues).toHaveLength(1);
    });

    it('deletes issues of two users or two days after all others', async () => {
      const store = await stores.open();
      const event = (number: number, file: string, days: number, user = 'ann') => {
        const receivedAtMs = RECEIVED_MS - days * DAY_MS;
        const facts = { timestamp: receivedAtMs / 1000, user: { id: user } };
        return eventEnvelope(serverEvent(number, file, facts), { receivedAtMs });
      };
      await store.ingest([event(1, 'two/days', 22), event(2, 'two/days', 21)]);
      await store.ingest([event(3, 'two/users', 20), event(4, 'two/users', 20, 'bob')]);
      await store.ingest([event(5, 'once/a', 19), event(6, 'once/b', 18)]);
      // The newest issue always stays.
      await store.ingest([event(7, 'newest', 17)]);
      const digests = await Promise.all([1, 3, 5, 6].map((number) => digestOfEvent(store, number)));
      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 0 }, RECEIVED_MS);

      const few = await store.ask('retain', { ...NO_LIMIT, maxBytes: 3 * ISSUE_ROOM }, RECEIVED_MS);
      const left = await Promise.all(digests.map((digest) => store.ask('issue', digest)));
      const fewer = await store.ask('retain', { ...NO_LIMIT, maxBytes: 2 * ISSUE_ROOM }, RECEIVED_MS);

      expect(left.map((issue) => issue !== undefined)).toEqual([true, true, false, false]);
      expect([few.issues, fewer.issues]).toEqual([2, 1]);
      expect(await store.ask('issue', digests[0] ?? '')).toBeUndefined();
    });

    it('deletes events to make space for issues, and then issues without events', async () => {
      const store = await stores.open();
      await store.ingest(
        Array.from({ length: 40 }, (_, index) => eventEnvelope(serverEvent(index + 1, `forged/${index}`))),
      );

      const retained = await store.ask('retain', { ...NO_LIMIT, maxBytes: 5 * ISSUE_ROOM }, RECEIVED_MS);

      expect(retained).toMatchObject({ events: 40, issues: 35 });
      expect(await store.ask('storedEvents')).toBe(40);
    });

    it('deletes the excess once when a full file starts it while it runs', async () => {
      const store = await stores.open();
      await store.ingest(Array.from({ length: 100 }, (_, index) => eventEnvelope(serverEvent(index + 1))));
      const limits = { ...NO_LIMIT, maxBytes: 60_000 };

      const retained = await Promise.all([1, 2].map(() => store.ask('retain', limits, RECEIVED_MS)));

      expect(retained.filter(({ events }) => events > 0)).toHaveLength(1);
    });

    it('keeps the newest feedback within the limit', async () => {
      const store = await stores.open();
      const report = (id: number, comments: string) =>
        envelopeOf([{ type: 'user_report', payload: { comments } }], {
          eventId: eventIdOf(id),
          receivedAtMs: RECEIVED_MS + id,
        });
      await store.ingest([report(1, 'first'), report(3, 'third'), report(2, 'second')]);

      await store.ask('retain', { ...NO_LIMIT, maxBytes: 100_000 }, RECEIVED_MS);

      const { feedback } = await store.ask('feedback', 10, null);
      expect(feedback.map(({ message }) => message)).toEqual(['third', 'second']);
    });

    it('deletes old feedback', async () => {
      const store = await stores.open();
      const report = { event_id: eventIdOf(2), comments: 'It broke.' };
      const receivedAtMs = RECEIVED_MS - 31 * DAY_MS;
      await store.ingest([
        receivedDaysAgo(2, 1),
        envelopeOf([{ type: 'user_report', payload: report }], { receivedAtMs }),
      ]);

      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 30 * DAY_MS }, RECEIVED_MS);

      expect((await store.ask('issue', eventIdOf(2)))?.feedback).toEqual([]);
    });

    it('deletes nothing within the limits', async () => {
      const store = await stores.open();
      await store.ingest([receivedDaysAgo(1, 1)]);

      expect(await store.ask('retain', NO_LIMIT, RECEIVED_MS)).toEqual({
        events: 0,
        bytes: 0,
        issues: 0,
        feedback: 0,
        early: 0,
      });
    });

    it('remembers for an hour that it has deleted events for space', async () => {
      const store = await stores.open();
      await store.ingest([receivedDaysAgo(1, 31), receivedDaysAgo(2, 1)]);
      const answers: number[] = [];
      const ask = async () => answers.push(await store.ask('earlyEvictions'));

      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 30 * DAY_MS }, RECEIVED_MS);
      await ask();
      const { early } = await store.ask('retain', { ...NO_LIMIT, maxBytes: 0 }, RECEIVED_MS);
      await ask();
      stores.nowMs += HOUR_MS;
      await ask();

      expect([early, ...answers]).toEqual([1, 0, 1, 0]);
    });
  });

  describe('agesMeasuredMs', () => {
    it('is the time of the event that was received last, where none is saved', async () => {
      const store = await stores.open();
      const before = await store.ask('agesMeasuredMs');
      await store.ingest([receivedDaysAgo(1, 2), receivedDaysAgo(2, 1), receivedDaysAgo(3, 3)]);

      expect([before, await store.ask('agesMeasuredMs')]).toEqual([null, RECEIVED_MS - DAY_MS]);
    });

    it('is the latest saved time of all replicas, whatever the events say', async () => {
      const [store, other] = [await stores.open(), await stores.open()];
      await store.ingest([receivedDaysAgo(1, 0)]);
      for (const days of [3, 2, 4]) await store.ask('saveAgesMeasured', RECEIVED_MS - days * DAY_MS);

      expect(await other.ask('agesMeasuredMs')).toBe(RECEIVED_MS - 2 * DAY_MS);
    });
  });

  describe('sessions', () => {
    const session: StoredSession = {
      tokenHash: 'ab'.repeat(32),
      id: 'cd'.repeat(16),
      who: 'ann',
      role: 'operator',
      way: 'token',
      tokenProof: 'proof',
      createdAtMs: RECEIVED_MS,
      lastSeenAtMs: RECEIVED_MS,
    };

    it('are found by their hash, seen, and ended', async () => {
      const store = await stores.open();

      await store.ask('saveSession', session);
      await store.ask('touchSession', session.tokenHash, RECEIVED_MS + 5);
      const found = await store.ask('session', session.tokenHash);
      await store.ask('deleteSession', session.tokenHash);

      expect(found).toEqual({ ...session, lastSeenAtMs: RECEIVED_MS + 5 });
      expect(await store.ask('session', session.tokenHash)).toBeUndefined();
    });

    it('outlive a retention of events that is shorter than their idle time', async () => {
      const store = await stores.open();
      const nowMs = RECEIVED_MS + 8 * DAY_MS;
      await store.ask('saveSession', session);

      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 7 * DAY_MS }, nowMs);

      const fortnight = { usedSinceMs: nowMs - 14 * DAY_MS, begunSinceMs: nowMs - 14 * DAY_MS };
      expect(await store.ask('sessions', fortnight)).toEqual([session]);
    });

    it('outlive the process and are shared by replicas', async () => {
      const [store, other] = [await stores.open(), await stores.open()];

      await store.ask('saveSession', session);

      expect(await other.ask('session', session.tokenHash)).toEqual(session);
    });
  });

  describe('storedKey', () => {
    it('is created once for all replicas of a database', async () => {
      const [store, other] = [await stores.open(), await stores.open()];

      const keys = [
        await store.ask('storedKey', 'own_project_key'),
        await other.ask('storedKey', 'own_project_key'),
        await store.ask('storedKey', 'own_project_key'),
      ];

      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(new Set(keys).size).toBe(1);
      expect(await store.ask('storedKey', 'server_key')).not.toBe(keys[0]);
    });

    it('is the copy of a process where the database has none', async () => {
      const store = await stores.open();
      const copy = 'c'.repeat(32);

      expect(await store.ask('storedKey', 'own_project_key', copy)).toBe(copy);
      expect(await store.ask('storedKey', 'own_project_key', 'd'.repeat(32))).toBe(copy);
    });
  });
}
