import type { Change } from '../../contract/facets-api.ts';
import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import {
  browserEvent,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const NEIGHBOURS = 20;

/** An event of a fault, so many hours ago. */
function failed(number: number, fault: string, hoursAgo: number, changes: EventBody) {
  const timeMs = RECEIVED_MS - hoursAgo * HOUR_MS;
  return eventEnvelope(
    browserEvent(number, {
      fingerprint: [fault],
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

/** 20 issues with events of two releases, browsers and paths, four an hour; and one that a release brings a day ago. */
async function storeIncident(store: TestedStore): Promise<void> {
  let number = 0;
  for (let hoursAgo = 26; hoursAgo >= 0; hoursAgo -= 1) {
    const isOld = hoursAgo > 25;
    await store.ingest(
      Array.from({ length: isOld || hoursAgo === 0 ? 2 * NEIGHBOURS : NEIGHBOURS }, (_, at) =>
        failed((number += 1), `other-${at % NEIGHBOURS}`, hoursAgo, {
          release: isOld ? 'shop@1.4.1' : 'shop@1.4.2',
          request: page(
            ['/cart', '/checkout', '/orders/7'][number % 3] ?? '/',
            (number + hoursAgo) % 2 === 0 ? SAFARI : CHROME,
          ),
        }),
      ),
    );
    const count = isOld ? 0 : hoursAgo === 0 ? 24 : 2;
    await store.ingest(
      Array.from({ length: count }, () =>
        failed((number += 1), 'incident', hoursAgo, {
          release: 'shop@1.4.2',
          request: page('/checkout', SAFARI),
          title: 'incident',
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
    it('is release, rate, browser and path of an incident, and nothing of its neighbours', async () => {
      const store = await stores.open();
      await storeIncident(store);

      const { issues } = await store.ask('issues', 50, null, {});
      const lines: string[][] = [];
      for (const { key, project } of issues) {
        const facets = await store.ask('issueFacets', key, { project });
        lines.push((facets?.changed ?? []).map(partOf));
      }

      expect(issues).toHaveLength(NEIGHBOURS + 1);
      expect(lines.filter((line) => line.length > 0)).toEqual([
        ['new shop@1.4.2', '12x', 'only browser Safari', 'only url /checkout'],
      ]);
    });

    it('is no path where the digest is made of it: without own frames', async () => {
      const store = await stores.open();
      await storeIncident(store);
      const changes = { fingerprint: [], release: 'shop@1.5.0', request: page('/checkout', SAFARI) };
      const framed = { ...serverEvent(0), sdk: { name: 'sentry.javascript.node' }, ...changes };
      await store.ingest(
        Array.from({ length: 48 }, (_, at) => 10_000 + at).map((number) =>
          failed(number, '', 0, number % 2 === 0 ? changes : { ...framed, event_id: eventIdOf(number) }),
        ),
      );

      const { issues } = await store.ask('issues', 50, null, { q: 'release:shop@1.5.0' });
      const lines: Record<string, string[]> = {};
      for (const { key, kind } of issues)
        lines[kind] = ((await store.ask('issueFacets', key))?.changed ?? []).map(partOf);

      expect(lines).toEqual({
        browser: ['new shop@1.5.0', 'only browser Safari'],
        server: ['new shop@1.5.0', 'only url /checkout'],
      });
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
      const at = (path: string) => ({ request: page(path, SAFARI) });
      const neighbours = (from: number, path: string) =>
        [0, 1, 2].map((each) => failed(from + each, `other-${from + each}`, 0, at(path)));
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
      await storeIncident(store);
      const { issues } = await store.ask('issues', 50, null, { q: 'url:/checkout' });
      const address = issues.find(({ events }) => events > 50)?.key ?? '';

      const searched = await store.ask('issueFacets', address, { q: 'browser:safari' });
      stores.nowMs = RECEIVED_MS + 3 * DAY_MS;
      const later = await store.ask('issueFacets', address);

      expect(searched?.changed).toEqual([]);
      expect(later?.changed.map(partOf)).toEqual(['new shop@1.4.2']);
    });
  });
}
