import type { StoredAnswer } from '../queries/issue-answer.ts';
import type { StatusChange } from '../../contract/issues-api.ts';
import { eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';
/** Statuses are set when the fixtures' envelopes arrive; events a minute later are new. */
const LATER_MS = RECEIVED_MS + 60_000;
const LATER = '2026-11-21T12:31:00.000Z';

function later(number: number, release: string | null, file = 'orders/load') {
  return eventEnvelope(serverEvent(number, file, { timestamp: LATER_MS / 1000, release }), {
    receivedAtMs: LATER_MS,
  });
}

const VERSIONS = ['shop@1', 'shop@2', 'shop@3'];
/** Names that say no order. */
const COMMITS = ['shop@fe01c2a', 'shop@0be7d5c', 'shop@c4d3a1e'];

/** Releases came in this order, an issue of the first. */
async function afterReleases(store: TestedStore, releases: readonly string[]): Promise<void> {
  for (const [place, release] of releases.entries()) {
    const bodies = [
      serverEvent(90 + place, 'x/y', { release }),
      ...(place === 0 ? [serverEvent(1, 'orders/load', { release })] : []),
    ];
    const receivedAtMs = RECEIVED_MS - 10_000 + place;
    await store.ingest(bodies.map((body) => eventEnvelope(body, { receivedAtMs })));
  }
}

async function change(store: TestedStore, to: Omit<StatusChange, 'issues'>): Promise<void> {
  const { key = '', project = '' } = await issueOf(store, 1);
  await store.ask('setStatus', { issues: [{ key, project }], ...to });
}

async function issueOf(store: TestedStore, number: number): Promise<Partial<StoredAnswer>> {
  return (await store.ask('issue', eventIdOf(number))) ?? {};
}

export function describeTriage(stores: StoresUnderTest): void {
  describe('the status of an issue', () => {
    it('is set for several issues at once, each in its own project', async () => {
      const store = await stores.open();
      await store.ingest([
        eventEnvelope(serverEvent(1)),
        eventEnvelope(serverEvent(2), { project: OTHER_PROJECT }),
        eventEnvelope(serverEvent(3, 'b/b')),
        eventEnvelope(serverEvent(4, 'c/c')),
      ]);
      const named = await Promise.all(
        [1, 3].map(async (number) => {
          const { key = '', project = '' } = await issueOf(store, number);
          return { key, project };
        }),
      );
      const unknown = { key: 'f'.repeat(64), project: OTHER_PROJECT };

      const changed = await store.ask('setStatus', { issues: [...named, unknown], status: 'ignored' });

      expect(changed).toEqual({ changed: 2 });
      const { issues } = await store.ask('issues', 10, null, { status: 'ignored' });
      expect(issues.map(({ title }) => title).toSorted()).toEqual([
        'TypeError: order 1 has no items',
        'TypeError: order 3 has no items',
      ]);
    });

    it.each<[Omit<StatusChange, 'issues'>, object]>([
      [{ status: 'resolved' }, { status: 'resolved', resolvedIn: null }],
      [
        { status: 'resolved', resolvedIn: 'shop@2' },
        { status: 'resolved', resolvedIn: 'shop@2' },
      ],
      [
        { status: 'ignored', resolvedIn: 'shop@2' },
        { status: 'ignored', resolvedIn: null },
      ],
      [{ status: 'open' }, { status: 'open', resolvedIn: null }],
    ])('set to %j is %j', async (to, expected) => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);

      await change(store, to);

      expect(await issueOf(store, 1)).toMatchObject({ ...expected, regressed: null });
    });

    it('becomes open when the error happens again', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);
      await change(store, { status: 'resolved' });

      await store.ingest([later(2, 'shop@1')]);

      expect(await issueOf(store, 1)).toMatchObject({
        status: 'open',
        resolvedIn: null,
        regressed: LATER,
        events: 2,
      });
    });

    it('stays resolved when an earlier event arrives late', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);
      await change(store, { status: 'resolved' });

      await store.ingest([eventEnvelope(serverEvent(2), { receivedAtMs: LATER_MS })]);

      expect(await issueOf(store, 1)).toMatchObject({ status: 'resolved', regressed: null, events: 2 });
    });

    it('stays ignored when the error happens again', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1))]);
      await change(store, { status: 'ignored' });

      await store.ingest([later(2, 'shop@9')]);

      expect(await issueOf(store, 1)).toMatchObject({ status: 'ignored', regressed: null });
    });

    it.each([
      ['an earlier release', 'shop@2', 'shop@1', 'resolved'],
      ['that very release', 'shop@2', 'shop@2', 'open'],
      ['a later release', 'shop@2', 'shop@3', 'open'],
      ['a release not seen before', 'shop@2', 'shop@4', 'open'],
      ['no release', 'shop@2', null, 'open'],
      ['a release, when the one it is resolved in has yet to come', 'shop@5', 'shop@3', 'resolved'],
    ])(
      'resolved in a release bears or does not bear an event of %s',
      async (_name, resolvedIn, release, status) => {
        const store = await stores.open();
        await afterReleases(store, VERSIONS);
        await change(store, { status: 'resolved', resolvedIn });

        await store.ingest([later(2, release), later(3, release, 'another/fault')]);

        expect(await issueOf(store, 1)).toMatchObject({
          status,
          resolvedIn: status === 'open' ? null : resolvedIn,
          regressed: status === 'open' ? LATER : null,
        });
      },
    );

    it.each([
      ['an earlier commit', COMMITS[1], COMMITS[0], 'resolved'],
      ['a later commit', COMMITS[1], COMMITS[2], 'open'],
      ['a known commit, when the one it is resolved in never came', 'shop@d00d1e5', COMMITS[2], 'resolved'],
      ['a new commit, when the one it is resolved in never came', 'shop@d00d1e5', 'shop@5eed0f7', 'open'],
    ])(
      'resolved in a commit bears or does not bear an event of %s',
      async (_name, resolvedIn, release, status) => {
        const store = await stores.open();
        await afterReleases(store, COMMITS);
        await change(store, { status: 'resolved', resolvedIn });

        await store.ingest([later(2, release ?? null)]);

        expect(await issueOf(store, 1)).toMatchObject({
          status,
          regressed: status === 'open' ? LATER : null,
        });
      },
    );

    it('becomes open in a later version that a stranger has sent before the fix', async () => {
      const store = await stores.open();
      await afterReleases(store, ['shop@4.2.0', 'shop@4.4.0', 'shop@5.0.0', 'shop@9.9.9', 'shop@4.3.0']);
      await change(store, { status: 'resolved', resolvedIn: 'shop@4.3.0' });

      await store.ingest([later(2, 'shop@4.4.0')]);

      expect(await issueOf(store, 1)).toMatchObject({ status: 'open', resolvedIn: null, regressed: LATER });
    });

    it('is checked for each event of a batch', async () => {
      const store = await stores.open();
      await afterReleases(store, VERSIONS);
      await change(store, { status: 'resolved', resolvedIn: 'shop@2' });

      await store.ingest([later(2, 'shop@1'), later(3, 'shop@1'), later(4, 'shop@3')]);

      expect(await issueOf(store, 1)).toMatchObject({ status: 'open', regressed: LATER });
    });
  });

  describe('notes', () => {
    it('are returned with their issue, oldest first', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(serverEvent(2, 'b/b'))]);
      const { digest = '' } = await issueOf(store, 1);

      const first = await store.ask('addNote', digest, { author: 'ann', text: 'Seen before.' });
      await store.ask('addNote', digest, { author: 'bob', text: 'Fixed <b>now</b>.' });

      expect(first).toEqual({
        id: expect.any(Number),
        time: '2026-11-21T12:30:00.000Z',
        author: 'ann',
        text: 'Seen before.',
      });
      expect((await issueOf(store, 1)).notes?.map(({ author, text }) => [author, text])).toEqual([
        ['ann', 'Seen before.'],
        ['bob', 'Fixed <b>now</b>.'],
      ]);
      expect((await issueOf(store, 2)).notes).toEqual([]);
    });

    it('cannot be added to an unknown issue', async () => {
      const store = await stores.open();

      expect(await store.ask('addNote', 'ABCD-EFGH', { author: 'ann', text: 'Hello?' })).toBeUndefined();
    });
  });

  describe('the releases of an issue', () => {
    it('are returned newest first, by the time when each was first seen', async () => {
      const store = await stores.open();
      await afterReleases(store, VERSIONS);
      await store.ingest([later(2, 'shop@3'), later(3, 'shop@2'), later(4, null)]);

      expect((await issueOf(store, 1)).releases).toEqual(['shop@3', 'shop@2', 'shop@1']);
    });
  });
}
