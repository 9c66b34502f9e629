import { type IssueQuery, type IssueSort, PAGE_ROWS } from '../../contract/issues-api.ts';
import { NO_SENDER } from '../../sink/queued-envelope.ts';
import { posted, violation } from './browser-reports.fixture.ts';
import {
  browserEvent,
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  PROJECT,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import { pages } from './pages.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';

type Filters = Partial<Omit<IssueQuery, 'cursor'>>;

function at(number: number, file: string, hour: number, email: string) {
  const timestamp = Date.UTC(2026, 10, 21, hour) / 1000;
  return eventEnvelope(serverEvent(number, file, { timestamp, user: { email } }));
}

/** One browser's issue and three server issues; the first is resolved, the second belongs to another project. */
async function fill(store: TestedStore): Promise<void> {
  await store.ingest([
    eventEnvelope(serverEvent(1, 'a/a')),
    eventEnvelope(serverEvent(2, 'b/b'), { project: OTHER_PROJECT }),
    eventEnvelope(serverEvent(3, 'c/c')),
    eventEnvelope(browserEvent(4)),
  ]);
  const { key = '', project = '' } = (await store.ask('issue', eventIdOf(1))) ?? {};
  await store.ask('setStatus', { issues: [{ key, project }], status: 'resolved' });
}

/** A violation that a browser of this address reports. */
function blocked(address: string, number: number, blockedURL: string) {
  const report = violation({ effectiveDirective: 'img-src', blockedURL });
  return { ...posted(number, report), sender: { ...NO_SENDER, address } };
}

async function listed(store: TestedStore, filters: Filters): Promise<readonly string[]> {
  const { issues } = await store.ask('issues', 50, null, filters);
  return issues.map(({ title }) => /\d/.exec(title)?.[0] ?? title).toSorted();
}

export function describeIssueLists(stores: StoresUnderTest): void {
  describe('a list of issues', () => {
    it('contains the issues that pass all filters', async () => {
      const store = await stores.open();
      await fill(store);
      const expected: readonly (readonly [Filters, readonly string[]])[] = [
        [{}, ['1', '2', '3', 'TypeError: cart is undefined']],
        [{ status: 'open' }, ['2', '3', 'TypeError: cart is undefined']],
        [{ status: 'resolved' }, ['1']],
        [{ status: 'ignored' }, []],
        [{ kind: 'browser' }, ['TypeError: cart is undefined']],
        [{ kind: 'server', status: 'open' }, ['2', '3']],
        [{ project: OTHER_PROJECT }, ['2']],
        [{ project: 'https://unknown@errors.example/9' }, []],
        [{ q: '"no items"', project: PROJECT, status: 'open' }, ['3']],
        [{ q: 'url:/cart' }, ['TypeError: cart is undefined']],
        ...['url:""', 'user:" "', 'release:"" cart'].map((q) => [{ q }, []] as const),
        [{ q: '""' }, ['1', '2', '3', 'TypeError: cart is undefined']],
        [{ status: 'open', sort: 'events' }, ['2', '3', 'TypeError: cart is undefined']],
      ];

      const found: (readonly [Filters, readonly string[]])[] = [];
      for (const [filters] of expected) found.push([filters, await listed(store, filters)]);

      expect(found).toEqual(expected);
    });

    it.each<[IssueSort, string]>([
      ['last', '312'],
      ['first', '213'],
      ['events', '123'],
      ['users', '213'],
    ])('by %s comes in its order, page by page', async (sort, expected) => {
      const store = await stores.open();
      await store.ingest([
        at(13, 'c/c', 1, 'ann@shop.example'),
        at(11, 'a/a', 2, 'ann@shop.example'),
        at(12, 'b/b', 4, 'ann@shop.example'),
        at(21, 'a/a', 6, 'ann@shop.example'),
        at(31, 'a/a', 8, 'Ann@shop.example'),
        at(22, 'b/b', 7, 'bob@shop.example'),
        at(23, 'c/c', 9, 'ann@shop.example'),
        at(41, 'a/a', 3, 'ann@shop.example'),
        at(33, 'c/c', 9, 'ann@shop.example'),
      ]);
      await store.ingest([at(32, 'b/b', 7, 'cid@shop.example'), at(51, 'a/a', 8, 'bob@shop.example')]);

      const all = await pages((cursor) => store.ask('issues', 1, cursor, { sort }));

      const titles = all.flatMap(({ issues }) =>
        issues.map(({ title }) => title.at('TypeError: order 1'.length)),
      );
      expect(all).toHaveLength(3);
      expect(titles.join('')).toBe(expected);
    });

    it('returns the first page for the cursor of another order', async () => {
      const store = await stores.open();
      await fill(store);
      const { next } = await store.ask('issues', 2, null, { sort: 'events' });

      const again = await store.ask('issues', 2, next, { sort: 'last' });

      expect(again).toEqual(await store.ask('issues', 2, null, { sort: 'last' }));
      expect(next).not.toBeNull();
    });

    it('counts the issues that each filter hides, on an empty page only', async () => {
      const store = await stores.open();
      await fill(store);

      const empty = await store.ask('issues', 50, null, { q: 'cart', status: 'open', kind: 'server' });
      const none = await store.ask('issues', 50, null, { q: 'absentword', status: 'open' });
      const some = await store.ask('issues', 50, null, { status: 'open' });

      expect(empty.hidden).toEqual([
        { filter: 'q', issues: 2 },
        { filter: 'kind', issues: 1 },
      ]);
      expect(none.hidden).toEqual([{ filter: 'q', issues: 3 }]);
      expect(some).not.toHaveProperty('hidden');
    });

    it('is counted over all pages, and its issues have a status before a change', async () => {
      const store = await stores.open();
      await fill(store);
      const filters = { q: '', status: 'all', kind: 'server', project: '', sort: 'last' } as const;
      const { issues } = await store.ask('issues', 50, null, { status: 'resolved' });

      const states = await store.ask('issueStates', [...issues, { key: 'a'.repeat(64), project: PROJECT }]);

      expect(await store.ask('countIssues', filters)).toBe(3);
      expect(await store.ask('countIssues', { ...filters, q: 'absentword' })).toBe(0);
      expect(states).toEqual([
        { address: issues[0]?.digest, project: PROJECT, status: 'resolved', resolvedIn: null },
      ]);
    });

    it('names the projects', async () => {
      const store = await stores.open();
      await fill(store);

      expect(await store.ask('projects')).toEqual({ projects: [PROJECT, OTHER_PROJECT].toSorted() });
    });
  });

  describe('feedback without an event', () => {
    it('is listed, newest first and page by page, until its event arrives', async () => {
      const store = await stores.open();
      const said = (comments: string, eventId: string, minutes: number) =>
        envelopeOf(
          [
            {
              type: 'user_report',
              payload: { event_id: eventId, comments, url: 'https://shop.example/pay?x=1' },
            },
          ],
          {
            receivedAtMs: RECEIVED_MS + minutes * 60_000,
          },
        );
      await store.ingest([
        eventEnvelope(serverEvent(1)),
        said('first', eventIdOf(7), 1),
        said('of the event', eventIdOf(1), 2),
        said('second', eventIdOf(8), 3),
        said('third', eventIdOf(9), 3),
      ]);

      const before = await pages((cursor) => store.ask('feedback', 2, cursor));
      await store.ingest([eventEnvelope(serverEvent(8))]);
      const after = await pages((cursor) => store.ask('feedback', 2, cursor));

      const messages = (all: typeof before) =>
        all.map(({ feedback }) => feedback.map(({ message }) => message));
      expect(messages(before)).toEqual([['third', 'second'], ['first']]);
      expect(messages(after)).toEqual([['third', 'first']]);
      expect(after[0]?.feedback[1]).toMatchObject({
        eventId: eventIdOf(7),
        url: 'https://shop.example/pay',
        project: PROJECT,
      });
    });
  });

  describe('the list of violations', () => {
    it('begins with those that most networks reported, before the flood of another one', async () => {
      const store = await stores.open();
      const noise = 'https://ignored.example';
      await store.ingest([blocked('198.51.100.1', 1, noise), blocked('192.0.2.1', 2, noise)]);
      const { key = '', project = '' } = (await store.ask('issue', eventIdOf(1))) ?? {};
      await store.ask('setStatus', { issues: [{ key, project }], status: 'ignored' });
      const real = 'https://cdn.example';
      await store.ingest([blocked('198.51.100.2', 3, real), blocked('192.0.2.2', 4, real)]);
      const flood = Array.from({ length: PAGE_ROWS + 10 }, (_, index) => index + 10);

      await store.ingest(flood.map((number) => blocked('203.0.113.7', number, `https://${number}.example`)));

      const { violations, leftOut } = await store.ask('violations');
      expect(violations[0]).toMatchObject({ title: expect.stringContaining(real), networks: 2 });
      expect([violations[1]?.networks, violations.length, leftOut]).toEqual([1, PAGE_ROWS, 11]);
    });
  });
}
