import { ownKey } from '../../digest/digest.ts';
import type { StoredAnswer } from '../queries/issue-answer.ts';
import {
  browserEvent,
  eventEnvelope,
  eventIdOf,
  ownReport,
  PROJECT,
  RECEIVED_MS,
} from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';
const LINE = 'Card payments fail since 14:00 UTC. <b>Sorry!</b>';

async function answerOf(store: TestedStore, digest: string, project = PROJECT): Promise<StoredAnswer> {
  const answer = await store.ask('issue', digest, project);
  if (answer === undefined) throw new Error(`no issue ${digest}`);
  return answer;
}

/** The line of an operator on the error pages of one fault. */
export function describePageLine(stores: StoresUnderTest): void {
  describe('the line on error pages', () => {
    const lineOf = (store: TestedStore, digest: string, project = PROJECT) =>
      store.ask('pageLine', ownKey(digest), project);

    it('is that of exactly this fault in this project', async () => {
      const store = await stores.open();
      await store.ingest([
        ownReport(1, 'CART1'),
        ownReport(2, 'CART2'),
        ownReport(3, 'CART1', ownKey('CART1'), OTHER_PROJECT),
      ]);

      expect(await store.ask('setPageLine', 'CART1', LINE, PROJECT)).toBe(true);

      expect(await lineOf(store, 'CART1')).toBe(LINE);
      expect(await lineOf(store, 'CART2')).toBeNull();
      expect(await lineOf(store, 'CART1', OTHER_PROJECT)).toBeNull();
      expect(await lineOf(store, 'CART3')).toBeNull();
      expect((await answerOf(store, 'CART1')).pageLine).toBe(LINE);
      expect((await answerOf(store, 'CART1', OTHER_PROJECT)).pageLine).toBe('');
    });

    it('is shown until it is replaced or removed, and not while the issue is resolved', async () => {
      const store = await stores.open();
      await store.ingest([ownReport(1, 'CART1')]);
      const { key, project } = await answerOf(store, 'CART1');
      const shown: (string | null)[] = [];
      const set = async (text: string) => {
        await store.ask('setPageLine', 'CART1', text, PROJECT);
        shown.push(await lineOf(store, 'CART1'));
      };
      const setStatus = async (status: 'resolved' | 'ignored') => {
        await store.ask('setStatus', { issues: [{ key, project }], status });
        shown.push(await lineOf(store, 'CART1'));
      };

      await set('one');
      await set('two');
      await setStatus('resolved');
      await setStatus('ignored');
      await set('');

      expect(shown).toEqual(['one', 'two', null, 'two', null]);
    });

    it('is none of an issue that a stranger can make, by key or beside the confirmed one', async () => {
      const store = await stores.open();
      const forged = ownReport(1, 'CART1');
      await store.ingest([{ ...forged, source: 'tunnel' }]);
      const { key, digest } = (await store.ask('issue', eventIdOf(1))) ?? { key: '', digest: '' };

      expect(await store.ask('setPageLine', digest, LINE, PROJECT)).toBe(false);
      expect((await answerOf(store, digest)).pageLine).toBeNull();
      expect(await store.ask('pageLine', key, PROJECT)).toBeNull();
    });

    it('is none of an issue of browsers, which do not know their digest', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(browserEvent(1), { source: 'gateway' })]);
      const { digest, kind, isConfirmed } = await answerOf(store, eventIdOf(1));

      expect([kind, isConfirmed]).toEqual(['browser', true]);
      expect(await store.ask('setPageLine', digest, LINE, PROJECT)).toBe(false);
      expect((await answerOf(store, digest)).pageLine).toBeNull();
    });

    it('is none of an unknown digest', async () => {
      const store = await stores.open();

      expect(await store.ask('setPageLine', 'ABCD-EFGH', LINE, PROJECT)).toBeUndefined();
    });

    it('keeps its issue from the deletion of those without events', async () => {
      const store = await stores.open();
      await store.ingest([ownReport(1, 'CART1'), ownReport(2, 'CART2'), ownReport(3, 'NEWEST')]);
      await store.ask('setPageLine', 'CART1', LINE, PROJECT);

      await store.ask('retain', { maxAgeMs: 0, maxBytes: 0 }, RECEIVED_MS + 1);

      expect(await lineOf(store, 'CART1')).toBe(LINE);
      expect(await store.ask('issue', 'CART2')).toBeUndefined();
    });
  });
}
