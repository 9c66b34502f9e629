import { ownKey } from '../../digest/digest.ts';
import { eventEnvelope, eventIdOf, ownReport, PROJECT, serverEvent } from './envelopes.fixture.ts';
import { digestOfEvent } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';

/** Keys whose first 40 bits are those of the digest 04HM-ASW9. */
const SAME_SYMBOLS = [`0123456789${'a'.repeat(54)}`, `0123456789${'b'.repeat(54)}`] as const;

/** Issues with one digest: of several projects, or of one. */
export function describeSameDigests(stores: StoresUnderTest): void {
  describe('issue', () => {
    it('is undefined when several digests fit a prefix', async () => {
      const store = await stores.open();
      await store.ingest([ownReport(1, 'CART1'), ownReport(2, 'CART2')]);

      expect(await store.ask('issue', 'CART')).toBeUndefined();
      expect((await store.ask('issue', 'CART2'))?.digest).toBe('CART2');
      expect((await store.ask('find', 'CART')).issues).toHaveLength(2);
    });

    it('is the one seen last when projects share a digest', async () => {
      const store = await stores.open();
      const earlier = serverEvent(2, 'orders/load', { timestamp: Date.UTC(2026, 10, 21, 9) / 1000 });
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(earlier, { project: OTHER_PROJECT })]);
      const digest = await digestOfEvent(store, 1);

      const answer = await store.ask('issue', digest);

      expect(answer).toMatchObject({ digest, events: 1, lastSeen: '2026-11-21T12:30:00.000Z' });
      expect((await store.ask('find', digest)).issues).toHaveLength(2);
    });

    it('is that of a project when one is named, with what the others have apart', async () => {
      const store = await stores.open();
      await store.ingest([
        eventEnvelope(serverEvent(1)),
        eventEnvelope(serverEvent(2), { project: OTHER_PROJECT }),
        eventEnvelope(serverEvent(3, 'b/b')),
      ]);
      const digest = await digestOfEvent(store, 1);
      const note = { author: 'ann', text: 'Only there.' };

      await store.ask('addNote', digest, note, OTHER_PROJECT);

      const [one, other] = [
        await store.ask('issue', digest, PROJECT),
        await store.ask('issue', digest, OTHER_PROJECT),
      ];
      const name = { digest, address: digest, isShared: true };
      expect(one).toMatchObject({ ...name, project: PROJECT, events: 1, notes: [] });
      expect(one?.alsoIn).toEqual([{ ...name, project: OTHER_PROJECT, events: 1, isConfirmed: false }]);
      expect(other).toMatchObject({ ...name, project: OTHER_PROJECT, latest: { eventId: eventIdOf(2) } });
      expect(other?.notes).toMatchObject([note]);
      expect(await store.ask('issueEvents', digest, 10, null, { project: PROJECT })).toMatchObject({
        events: [{ eventId: eventIdOf(1) }],
      });
      expect(await store.ask('issue', digest, 'https://unknown@errors.example/3')).toBeUndefined();
      expect(await store.ask('issue', eventIdOf(3))).toMatchObject({ isShared: false, alsoIn: [] });
    });

    it('opens by its key where another issue of its project has the same digest', async () => {
      const store = await stores.open();
      await store.ingest([
        ...SAME_SYMBOLS.map((key, index) => ownReport(index + 1, '04HM-ASW9', key)),
        ownReport(3, '04HM-ASW9', SAME_SYMBOLS[0], OTHER_PROJECT),
        eventEnvelope(serverEvent(4)),
      ]);

      const { issues } = await store.ask('find', '04HM-ASW9');
      const addresses = issues.map(({ address }) => address);
      const opened = await Promise.all(
        issues.map(({ address, project }) => store.ask('issue', address, project)),
      );

      expect(addresses.toSorted()).toEqual([...SAME_SYMBOLS, '04HM-ASW9']);
      expect(opened).toMatchObject(issues.map(({ key, project, address }) => ({ key, project, address })));
      expect(await store.ask('issue', '04HM-ASW9', PROJECT)).toBeUndefined();
      expect(await store.ask('issueEvents', SAME_SYMBOLS[1], 10, null, { project: PROJECT })).toMatchObject({
        events: [{ eventId: eventIdOf(2) }],
      });
      expect(await store.ask('issue', eventIdOf(4))).toMatchObject({
        address: await digestOfEvent(store, 4),
      });
    });

    it('is named by the same address wherever it is named', async () => {
      const store = await stores.open();
      await store.ingest([
        ...SAME_SYMBOLS.map((key, index) => ownReport(index + 1, '04HM-ASW9', key)),
        ownReport(3, '04HM-ASW9', SAME_SYMBOLS[0], OTHER_PROJECT),
      ]);
      const [shared, single] = await Promise.all(SAME_SYMBOLS.map((key) => store.ask('issue', key, PROJECT)));
      const named = SAME_SYMBOLS.map((key) => ({ key, project: PROJECT }));
      const states = await store.ask('issueStates', named);

      expect(await store.ask('event', eventIdOf(2))).toMatchObject({
        address: SAME_SYMBOLS[1],
        isShared: true,
      });
      expect(states.map(({ address }) => address).toSorted()).toEqual(SAME_SYMBOLS);
      // Another project has this error; the other one has only its digest in common with them.
      expect(shared?.alsoIn.map(({ project }) => project)).toEqual([OTHER_PROJECT]);
      expect(single?.alsoIn).toEqual([]);
    });

    it('is found beside one whose error brought the same digest', async () => {
      const store = await stores.open();
      await store.ingest([ownReport(1, '04HM-ASW9', SAME_SYMBOLS[0]), ownReport(2, '04HM-ASW9')]);

      const { issues } = await store.ask('find', 'Digest: 04HM-ASW9');

      expect(issues.map(({ key }) => key).toSorted()).toEqual(
        [SAME_SYMBOLS[0], ownKey('04HM-ASW9')].toSorted(),
      );
    });

    it('is that of the named project, however many other projects were seen since', async () => {
      const store = await stores.open();
      const others = Array.from({ length: 21 }, (_, index) =>
        eventEnvelope(serverEvent(index + 2), {
          project: `https://fedcba9876543210fedcba9876543210@errors.example/${index + 2}`,
        }),
      );
      await store.ingest([eventEnvelope(serverEvent(1)), ...others]);
      const digest = await digestOfEvent(store, 1);

      expect(await store.ask('issue', digest, PROJECT)).toMatchObject({ project: PROJECT, digest });
    });

    it('of an event that two projects have is that of the one that is named', async () => {
      const store = await stores.open();
      await store.ingest([
        eventEnvelope(serverEvent(1)),
        eventEnvelope(serverEvent(1), { project: OTHER_PROJECT }),
      ]);

      const events = [
        await store.ask('event', eventIdOf(1), PROJECT),
        await store.ask('event', eventIdOf(1), OTHER_PROJECT),
      ];

      expect(events.map((event) => event?.project)).toEqual([PROJECT, OTHER_PROJECT]);
    });
  });
}
