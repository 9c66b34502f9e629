import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { TREND_HOURS, type Trend } from '../../contract/trend-api.ts';
import { DAY_MS, HOUR_MS, hourOf, isoTime } from '../../time/iso.ts';
import { columnTypes } from '../db/migrations/column-types.ts';
import { projectHours } from '../db/migrations/013-project-hours.ts';
import type { Database } from '../db/schema.ts';
import { posted, violation } from './browser-reports.fixture.ts';
import { browserEvent, eventEnvelope, PROJECT, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';
const NO_EVENTS = Array.from({ length: TREND_HOURS }, () => 0);
const FIRST_HOUR_MS = hourOf(RECEIVED_MS) - (TREND_HOURS - 1) * HOUR_MS;

interface SentEvent {
  readonly number: number;
  readonly isBrowser: boolean;
  readonly project: string;
  readonly hoursAgo: number;
  /** Whether it comes through the second spool. */
  readonly isFromOther: boolean;
}

const sentEvent = fc.record<SentEvent>({
  // Few, so that some are repeats.
  number: fc.integer({ min: 1, max: 300 }),
  isBrowser: fc.boolean(),
  project: fc.constantFrom(PROJECT, OTHER_PROJECT),
  hoursAgo: fc.oneof(fc.nat(3), fc.nat(400)),
  isFromOther: fc.boolean(),
});

function envelopeIn({ number, isBrowser, project, hoursAgo }: SentEvent) {
  const receivedAtMs = RECEIVED_MS - hoursAgo * HOUR_MS;
  const timestamp = receivedAtMs / 1000;
  const event = isBrowser
    ? browserEvent(number, { timestamp })
    : serverEvent(number, `fault/${'abc'[number % 3]}`, { timestamp });
  return eventEnvelope(event, { receivedAtMs, project });
}

/** The same sums out of the hours of the issues. */
async function sumsOfIssues(db: Database, projects: readonly string[]): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly hour_ms: number; readonly events: number }>`
    select hour_ms, sum(issue_hour.events) as events from issue_hour
    join issue on issue.id = issue_hour.issue_id join project on project.id = issue.project_id
    where dsn in (${sql.join(projects)}) group by hour_ms
  `.execute(db);
  const sums = new Map(rows.map((row) => [row.hour_ms, row.events]));
  return NO_EVENTS.map((none, at) => sums.get(FIRST_HOUR_MS + at * HOUR_MS) ?? none);
}

function sumsOf({ server, browser }: Trend): readonly number[] {
  return server.map((events, at) => events + (browser[at] ?? 0));
}

/** Replaces the hours of projects by those that the migration of an older store makes. */
async function migrateAgain({ db, flavor }: TestedStore): Promise<void> {
  await sql`drop table project_hour`.execute(db);
  await sql`drop index release_seen`.execute(db);
  await projectHours(db as unknown as Kysely<unknown>, columnTypes(flavor));
}

export function describeTrend(stores: StoresUnderTest): void {
  describe('the trend', () => {
    it('is the sum of the hours of all issues, through batches, repeats, two spools and a migration', async () => {
      const [one, other] = [await stores.open(), await stores.open(undefined, { spool: 7 })];

      await fc.assert(
        fc.asyncProperty(fc.array(sentEvent, { minLength: 1, maxLength: 40 }), async (sent) => {
          const ofOther = sent.filter(({ isFromOther }) => isFromOther);
          await one.ingest(sent.filter((event) => !ofOther.includes(event)).map(envelopeIn));
          await other.ingest(ofOther.map(envelopeIn));

          for (const projects of [[PROJECT, OTHER_PROJECT], [PROJECT], [OTHER_PROJECT]]) {
            const trend = await one.ask('trend', projects.length > 1 ? null : projects[0]);

            expect(sumsOf(trend)).toEqual(await sumsOfIssues(one.db, projects));
          }
        }),
        { numRuns: 12 },
      );
      const before = await one.ask('trend');
      const spools = await one.db.selectFrom('project_hour').select('spool').distinct().execute();
      await migrateAgain(one);

      expect(await one.ask('trend')).toEqual(before);
      // No replica waits for the row of another one.
      expect(spools).toHaveLength(2);
    });

    it('counts servers and browsers for themselves, and no browser reports', async () => {
      const store = await stores.open();

      await store.ingest([
        eventEnvelope(serverEvent(1)),
        eventEnvelope(serverEvent(2)),
        eventEnvelope(browserEvent(3)),
        posted(4, violation()),
      ]);

      const { from, server, browser } = await store.ask('trend');
      expect(from).toBe(isoTime(FIRST_HOUR_MS));
      expect([server, browser]).toEqual([
        NO_EVENTS.with(TREND_HOURS - 1, 2),
        NO_EVENTS.with(TREND_HOURS - 1, 1),
      ]);
    });

    it('has 14 days of hours, and zeros for an unknown project', async () => {
      const store = await stores.open();
      const event = { isBrowser: false, project: PROJECT, isFromOther: false };

      await store.ingest([335, 336].map((hoursAgo, at) => envelopeIn({ ...event, hoursAgo, number: at })));

      expect((await store.ask('trend', PROJECT)).server).toEqual(NO_EVENTS.with(0, 1));
      expect(await store.ask('trend', 'https://unknown@errors.example/3')).toMatchObject({
        server: NO_EVENTS,
        browser: NO_EVENTS,
        releases: [],
      });
    });

    it('keeps the counts of deleted and erased events, for 35 days', async () => {
      const store = await stores.open();
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(serverEvent(2))]);
      const before = await store.ask('trend');

      await store.ask('erase', { user: 'ann@shop.example' }, RECEIVED_MS + HOUR_MS);
      await store.ask('retain', { maxAgeMs: 1e12, maxBytes: 0 }, RECEIVED_MS + 34 * DAY_MS);
      const after = await store.ask('trend');
      await store.ask('retain', { maxAgeMs: 1e12, maxBytes: 1e12 }, RECEIVED_MS + 36 * DAY_MS);

      expect(before.server.at(-1)).toBe(2);
      expect(after.server).toEqual(before.server);
      expect((await store.ask('trend')).server).toEqual(NO_EVENTS);
    });

    it('names the newest releases, and those of strangers only in the places that are left', async () => {
      const store = await stores.open();
      const sent = (number: number, release: string, hoursAgo: number) => {
        const receivedAtMs = RECEIVED_MS - hoursAgo * HOUR_MS;
        return serverEvent(number, 'a/b', { release, timestamp: receivedAtMs / 1000 });
      };
      const at = (hoursAgo: number) => ({ receivedAtMs: RECEIVED_MS - hoursAgo * HOUR_MS });
      const forged = Array.from({ length: 30 }, (_, index) =>
        eventEnvelope(sent(index, `forged@${index}`, index / 100), at(index / 100)),
      );

      await store.ingest([
        ...forged,
        eventEnvelope(sent(100, 'old', 340), { ...at(340), source: 'server' }),
        eventEnvelope(sent(101, 'shop@1', 30), { ...at(30), source: 'server' }),
        eventEnvelope(sent(102, 'shop@2', 0.005), { ...at(0.005), source: 'server', project: OTHER_PROJECT }),
      ]);

      const { releases } = await store.ask('trend');
      expect(releases.map(({ name }) => name)).toEqual([
        'forged@0',
        'shop@2',
        ...Array.from({ length: 17 }, (_, index) => `forged@${index + 1}`),
        'shop@1',
      ]);
      expect(releases[1]).toEqual({
        name: 'shop@2',
        project: OTHER_PROJECT,
        time: isoTime(RECEIVED_MS - 0.005 * HOUR_MS),
      });
      expect((await store.ask('trend', OTHER_PROJECT)).releases.map(({ name }) => name)).toEqual(['shop@2']);
    });
  });
}
