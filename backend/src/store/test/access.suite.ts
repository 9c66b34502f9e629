import { RECEIVED_MS } from './envelopes.fixture.ts';
import type { StoredSession } from '../access/session-rows.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { HOUR_MS } from '../../time/iso.ts';

function session(id: string, createdAtMs: number, lastSeenAtMs: number): StoredSession {
  const tokenHash = `hash of ${id}`;
  return {
    tokenHash,
    id,
    who: 'ann',
    role: 'support',
    way: 'oidc',
    tokenProof: null,
    createdAtMs,
    lastSeenAtMs,
  };
}

function entry(target: string | null, atMs = RECEIVED_MS) {
  return { atMs, who: 'ann', role: 'support', action: 'find', target, detail: null } as const;
}

export function describeAccess(stores: StoresUnderTest): void {
  describe('sessions of users', () => {
    const ages = { usedSinceMs: RECEIVED_MS - 2 * HOUR_MS, begunSinceMs: RECEIVED_MS - 5 * HOUR_MS };

    it('are listed newest first, without idle and expired ones', async () => {
      const store = await stores.open();
      await store.ask('saveSession', session('early', RECEIVED_MS - 4 * HOUR_MS, RECEIVED_MS));
      await store.ask('saveSession', session('late', RECEIVED_MS, RECEIVED_MS));
      await store.ask('saveSession', session('idle', RECEIVED_MS - 4 * HOUR_MS, RECEIVED_MS - 3 * HOUR_MS));
      await store.ask('saveSession', session('old', RECEIVED_MS - 6 * HOUR_MS, RECEIVED_MS));

      const listed = await store.ask('sessions', ages);

      expect(listed.map(({ id }) => id)).toEqual(['late', 'early']);
      expect(listed[0]).toEqual(session('late', RECEIVED_MS, RECEIVED_MS));
    });

    it('are deleted by id, and all ended ones together', async () => {
      const store = await stores.open();
      await store.ask('saveSession', session('one', RECEIVED_MS, RECEIVED_MS));
      await store.ask('saveSession', session('other', RECEIVED_MS, RECEIVED_MS));
      await store.ask('saveSession', session('old', RECEIVED_MS - 6 * HOUR_MS, RECEIVED_MS));

      await store.ask('deleteSessionById', 'one');
      await store.ask('deleteEndedSessions', ages);

      const left = await store.ask('sessions', { usedSinceMs: 0, begunSinceMs: 0 });
      expect(left.map(({ id }) => id)).toEqual(['other']);
    });
  });

  describe('the audit log', () => {
    it('is listed newest first, page by page', async () => {
      const store = await stores.open();
      for (const target of ['a', 'b', 'c']) await store.ask('writeAudit', entry(target));

      const first = await store.ask('audit', null, 2);
      const second = await store.ask('audit', Number(first.next), 2);

      expect(first.entries.map(({ target }) => target)).toEqual(['c', 'b']);
      expect(first.entries[0]).toMatchObject({
        time: new Date(RECEIVED_MS).toISOString(),
        who: 'ann',
        role: 'support',
        action: 'find',
      });
      expect([second.entries.map(({ target }) => target), second.next]).toEqual([['a'], null]);
    });

    it('stores a pasted text cut, scrubbed and without characters that a database refuses', async () => {
      const store = await stores.open();

      await store.ask('writeAudit', entry(`card 4111 1111 1111 1111 \0\uD800 ${'x'.repeat(5_000)}`));

      const [written] = (await store.ask('audit', null, 1)).entries;
      expect(written?.target).not.toContain('4111');
      expect(written?.target?.length).toBeLessThanOrEqual(500);
    });

    it('deletes entries before a time', async () => {
      const store = await stores.open();
      await store.ask('writeAudit', entry('old', RECEIVED_MS - 1));
      await store.ask('writeAudit', entry('new', RECEIVED_MS));

      await store.ask('deleteAudit', RECEIVED_MS);

      const { entries } = await store.ask('audit', null, 10);
      expect(entries.map(({ target }) => target)).toEqual(['new']);
    });
  });
}
