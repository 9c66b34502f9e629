import type { Change } from '../../contract/facets-api.ts';
import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import { browserEvent, type EventBody, eventEnvelope, eventIdOf, RECEIVED_MS } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const NEIGHBOURS = [...'abcdefghijklmnopqrst'].map((name) => `other fault of ${name}`);

/** An event of a fault, so many hours ago. */
function failed(number: number, fault: string, hoursAgo: number, changes: EventBody) {
  const timeMs = RECEIVED_MS - hoursAgo * HOUR_MS;
  return eventEnvelope(
    browserEvent(number, {
      fingerprint: [fault],
      exception: { values: [{ type: 'TypeError', value: fault }] },
      timestamp: timeMs / 1000,
      environment: 'production',
      ...changes,
    }),
    { receivedAtMs: timeMs },
  );
}

function page(path: string, userAgent: string) {
  return { url: `https://shop.example${path}`, headers: { 'User-Agent': userAgent } };
}

function at(path: string) {
  return { request: page(path, SAFARI) };
}

/** Events of three other issues. */
function neighbours(from: number, path: string) {
  return [0, 1, 2].map((each) => failed(from + each, `other-${from + each}`, 0, at(path)));
}

/**
 * 20 faults with events of two releases, browsers and three paths; and one that a release brings a day ago, with two events an
 * hour and then 24.
 */
async function storeIncident(store: TestedStore, changes: EventBody): Promise<void> {
  let number = 0;
  for (let hoursAgo = 26; hoursAgo >= 0; hoursAgo -= 1) {
    const isOld = hoursAgo > 25;
    await store.ingest(
      Array.from({ length: (isOld || hoursAgo === 0 ? 6 : 3) * NEIGHBOURS.length }, (_, each) =>
        failed((number += 1), NEIGHBOURS[each % NEIGHBOURS.length] ?? '', hoursAgo, {
          release: isOld ? 'shop@1.4.1' : 'shop@1.4.2',
          request: page(
            ['/cart', '/checkout', '/orders/7'][number % 3] ?? '/',
            (number + hoursAgo) % 2 === 0 ? SAFARI : CHROME,
          ),
          ...changes,
        }),
      ),
    );
    const count = isOld ? 0 : hoursAgo === 0 ? 24 : 2;
    await store.ingest(
      Array.from({ length: count }, () =>
        failed((number += 1), 'incident', hoursAgo, {
          release: 'shop@1.4.2',
          request: page('/checkout', SAFARI),
          ...changes,
        }),
      ),
    );
  }
}

function partOf(change: Change): string {
  if (change.kind === 'only') return `only ${change.field} ${change.value}`;
  return change.kind === 'new' ? `new ${change.release}` : `${change.times}x`;
}

export function describeIssueChanges(stores: StoresUnderTest): void {
  describe('what is different about an issue', () => {
    it.each([
      ['fingerprint', {}, NEIGHBOURS.length],
      ['route, as without source maps', { fingerprint: [] }, 3 * NEIGHBOURS.length],
    ])(
      'is release, rate, browser and path of an incident, and nothing of its neighbours: issues by %s',
      async (_, changes, others) => {
        const store = await stores.open();
        await storeIncident(store, changes);

        const { issues } = await store.ask('issues', 100, null, {});
        const lines: string[][] = [];
        for (const { key, project } of issues) {
          const facets = await store.ask('issueFacets', key, { project });
          lines.push((facets?.changed ?? []).map(partOf));
        }

        expect(issues).toHaveLength(others + 1);
        expect(lines.filter((line) => line.length > 0)).toEqual([
          ['new shop@1.4.2', '12x', 'only browser Safari', 'only url /checkout'],
        ]);
      },
    );

    const byRoute = { fingerprint: [] };
    const nameless = { ...byRoute, exception: null };
    it.each([
      ['is no path', 'on another path', byRoute, failed(30, 'fault', 0, { ...byRoute, ...at('/cart') }), []],
      [
        'is no path',
        'there without a title',
        nameless,
        failed(30, '', 0, { ...nameless, ...at('/cart') }),
        [],
      ],
      ['is a path', 'on the same one', byRoute, failed(30, 'fault', 0, at('/shop/')), ['only url /shop']],
      [
        'is a path',
        'on another one days ago',
        byRoute,
        failed(30, 'fault', 40, { ...byRoute, ...at('/cart') }),
        ['only url /shop'],
      ],
      [
        'is a path',
        'in another project',
        byRoute,
        { ...failed(30, 'fault', 0, at('/cart')), project: OTHER_PROJECT },
        ['only url /shop'],
      ],
    ])('%s where the same error is another issue %s', async (_path, _where, changes, same, line) => {
      const store = await stores.open();
      await store.ingest(
        Array.from({ length: 24 }, (_, each) => failed(each + 1, 'fault', 0, { ...changes, ...at('/shop') })),
      );
      await store.ingest([...neighbours(100, '/other'), same]);

      const { issues } = await store.ask('issues', 50, null, {});
      const facets = await store.ask('issueFacets', eventIdOf(1));

      expect(issues).toHaveLength(5);
      expect(facets?.changed.map(partOf)).toEqual(line);
    });

    it.each([
      [['/shop/', '/shop'], '/other', '/shop'],
      [['//shop//a'], '/other', '/shop/a'],
      [['/#/a'], '/other', '/'],
      [['/shop/#/a', '/shop/#/b'], '/other', '/shop'],
      [[`/${'w'.repeat(301)}`], '/other', `/${'w'.repeat(199)}`],
      [['/%C3%9Cber'], '/other', '/Über'],
      [['/products/17', '/products/18'], '/products/new', '/products/<n>'],
      [['/shop', '/Shop'], '/other', null],
    ])('is a path only where its neighbours have another one: %j', async (paths, elsewhere, route) => {
      const store = await stores.open();
      await store.ingest([
        ...Array.from({ length: 24 }, (_, each) =>
          failed(each + 1, 'fault', 0, at(paths[each % paths.length] ?? '/')),
        ),
        ...neighbours(100, paths[0] ?? '/'),
      ]);
      const alike = await store.ask('issueFacets', eventIdOf(1));
      await store.ingest(neighbours(200, elsewhere));
      const apart = await store.ask('issueFacets', eventIdOf(1));

      expect(alike?.changed).toEqual([]);
      expect(apart?.changed.map(partOf)).toEqual(route === null ? [] : [`only url ${route}`]);
      for (const change of apart?.changed ?? []) {
        const q = change.kind === 'only' ? change.term : null;
        const found = await store.ask('issueEvents', eventIdOf(1), 50, null, { q });
        expect(found?.events).toHaveLength(24);
      }
    });

    it('is not said of the result of a search, nor of a value that its neighbours had days ago', async () => {
      const store = await stores.open();
      await storeIncident(store, {});
      const { issues } = await store.ask('issues', 50, null, { q: 'incident' });
      const address = issues[0]?.key ?? '';

      const searched = await store.ask('issueFacets', address, { q: 'browser:safari' });
      stores.nowMs = RECEIVED_MS + 3 * DAY_MS;
      const later = await store.ask('issueFacets', address);

      expect(searched?.changed).toEqual([]);
      expect(later?.changed.map(partOf)).toEqual(['new shop@1.4.2']);
    });
  });
}
