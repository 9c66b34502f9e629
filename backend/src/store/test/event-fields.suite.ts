import { fieldFactsOf, matchesOf } from '../event/fact-forms.ts';
import { tagsIn } from '../event/event-tags.ts';
import { newestMatches } from '../queries/event-matches.ts';
import { selectIssues } from '../issues/read-issues.ts';
import {
  browserEvent,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
} from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const NOW_MS = RECEIVED_MS + 60_000;
const PLACE = { environment: 'Produktion Öst', server_name: 'Web-1' };
/** Kinds of facts: 7 environment, 8 server, 9 browser, 10 tag. */
const FIRST_KIND = 7;

async function factsIn({ db }: TestedStore): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('issue_fact')
    .select(['kind', 'value'])
    .where('kind', '>=', FIRST_KIND)
    .orderBy('kind')
    .orderBy('value')
    .execute();
  return rows.map(({ kind, value }) => `${kind} ${value}`);
}

function sent(number: number, changes: EventBody) {
  return eventEnvelope(serverEvent(number, 'a/b', changes));
}

export function describeEventFields(stores: StoresUnderTest): void {
  describe('environment, server, browser and tags', () => {
    it('are columns of full and brief events, and facts of the issue', async () => {
      const store = await stores.open();
      const tags = { Plan: 'Gold', order_id: '4711-4711-4711-4711', plan: 'gold' };
      const numbers = Array.from({ length: 120 }, (_, at) => at + 1);

      await store.ingest(numbers.map((number) => sent(number, { ...PLACE, tags })));
      await store.ingest([eventEnvelope(browserEvent(200, { environment: 'staging' }))]);

      const rows = await store.db
        .selectFrom('event')
        .select(['is_brief', 'environment', 'server', 'browser', 'tags'])
        .distinct()
        .orderBy('browser')
        .orderBy('is_brief')
        .execute();
      const own = { environment: 'Produktion Öst', server: 'Web-1', browser: null };
      const columns = { ...own, tags: '[["Plan","Gold"],["plan","gold"]]' };
      const browser = { environment: 'staging', server: null, browser: 'Chrome 156 on Linux', tags: null };
      expect(rows).toHaveLength(3);
      expect(rows).toEqual(
        expect.arrayContaining([
          { is_brief: 0, ...columns },
          { is_brief: 1, ...columns },
          { is_brief: 0, ...browser },
        ]),
      );
      expect(await factsIn(store)).toEqual([
        '7 produktion öst',
        '7 staging',
        '8 web-1',
        '9 chrome 156 on linux',
        '10 plan:gold',
      ]);
    });

    it('are facts of an issue within their limits', async () => {
      const store = await stores.open();
      const numbers = Array.from({ length: 60 }, (_, at) => at + 1);

      await store.ingest(numbers.map((number) => sent(number, { environment: `e${number}` })));

      expect((await factsIn(store)).filter((fact) => fact.startsWith('7 '))).toHaveLength(50);
    });

    it.each([
      ['environment', 'PRODUKTION öst', 1],
      ['environment', 'produktion', null],
      ['server', 'web-1', 2],
      ['server', 'web_1', null],
      ['browser', 'chrome', 3],
      ['browser', 'CHROME 156', 3],
      ['browser', 'safari', null],
      ['tag', 'PLAN:gold "ü"\\', 4],
      ['tag', 'plan:gold', null],
    ])('find the newest event of an issue by %s:%s', async (filter, value, number) => {
      const store = await stores.open();
      const file = { fingerprint: ['one'] };
      await store.ingest(
        [
          serverEvent(1, 'a/b', { ...file, environment: PLACE.environment }),
          serverEvent(2, 'a/b', { ...file, server_name: PLACE.server_name }),
          browserEvent(3, file),
          serverEvent(4, 'a/b', { ...file, tags: { plan: 'Gold "Ü"\\' } }),
          serverEvent(5, 'a/b', {
            ...file,
            server_name: 'web-1x',
            environment: 'produktion ost',
            tags: { a: 'gold' },
          }),
        ].map((event) => eventEnvelope(event)),
      );
      const issues = await selectIssues(store.db).execute();

      const context = { db: store.db, flavor: store.flavor, now: () => NOW_MS };
      const matches = await newestMatches(context, issues, {
        facts: matchesOf(filter, value),
        without: [],
        spans: [],
      });

      expect(issues).toHaveLength(1);
      expect(matches.map((event) => event.event_id)).toEqual(number === null ? [] : [eventIdOf(number)]);
    });

    it('leave with the last event that has them, when it is erased', async () => {
      const store = await stores.open();
      const ben = { user: { id: 'ben' }, tags: { plan: 'gold' }, environment: 'production' };
      const ann = {
        user: { id: 'ann' },
        tags: { plan: 'Gold', customer: 'Ann Lee' },
        environment: 'ann-laptop',
        server_name: 'anns-mac',
      };
      await store.ingest([sent(1, ben), sent(2, ann)]);

      await store.ask('erase', { user: 'ann' }, NOW_MS);
      const left = await factsIn(store);
      stores.nowMs = NOW_MS + 1;
      await store.ingest([
        eventEnvelope(serverEvent(3, 'a/b', { ...ann, user: { id: 'eve' } }), { receivedAtMs: NOW_MS + 1 }),
      ]);

      expect(left).toEqual(['7 production', '10 plan:gold']);
      expect(await factsIn(store)).toEqual([
        '7 ann-laptop',
        '7 production',
        '8 anns-mac',
        '10 customer:ann lee',
        '10 plan:gold',
      ]);
    });

    it('name no erased user after retention has deleted the events', async () => {
      const store = await stores.open();
      await store.ingest([sent(1, { tags: { customer: 'Ann@shop.example', plan: 'gold' } })]);
      await store.db.deleteFrom('event').execute();

      const before = await factsIn(store);
      await store.ask('erase', { user: 'ann@shop.example' }, NOW_MS);

      expect(before).toContain('10 customer:ann@shop.example');
      expect((await factsIn(store)).filter((fact) => fact.startsWith('10 '))).toEqual(['10 plan:gold']);
    });

    it('make the facts of an issue out of its rows', async () => {
      const store = await stores.open();
      await store.ingest([sent(1, { ...PLACE, tags: { plan: 'Gold', region: 'EU' } })]);

      const rows = await store.db.selectFrom('event').selectAll().execute();

      const facts = rows.flatMap((row) => fieldFactsOf({ ...row, tags: tagsIn(row.tags) }));
      expect(facts.map((fact) => fact.join(' '))).toEqual(await factsIn(store));
    });
  });
}
