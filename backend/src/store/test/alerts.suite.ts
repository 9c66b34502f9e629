import { projectName } from '../../contract/project-name.ts';
import type { IssueDelivery, SummaryDelivery, QueuedBody } from '../../contract/webhook-api.ts';
import { alertOptions, TARGET } from './alert-options.fixture.ts';
import { eventEnvelope, PROJECT, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { HOUR_MS } from '../../time/iso.ts';

const MINUTE_MS = 60_000;
const MAX_PER_MINUTE = TARGET.max;
const RECEIVED = new Date(RECEIVED_MS).toISOString();

/** A file without digits for each number, so that each makes an issue. */
function fileOf(number: number): string {
  return `fault/${[...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join('')}`;
}

async function claimed(store: TestedStore): Promise<readonly QueuedBody[]> {
  const { alerts } = await store.ask('claimAlerts', TARGET.id);
  return alerts.map(({ body }) => body);
}

const idsOf = (alerts: readonly { readonly deliveryId: string }[]) => alerts.map((each) => each.deliveryId);
async function claimedIds(store: TestedStore): Promise<readonly string[]> {
  return idsOf((await store.ask('claimAlerts', TARGET.id)).alerts);
}

export function describeAlerts(stores: StoresUnderTest): void {
  describe('alerts', () => {
    const open = (publicUrl: string | null = null): Promise<TestedStore> =>
      stores.open(undefined, alertOptions(stores, publicUrl));

    const ingestFaults = (store: TestedStore, from: number, count: number) =>
      store.ingest(
        Array.from({ length: count }, (_, index) =>
          eventEnvelope(serverEvent(from + index, fileOf(from + index))),
        ),
      );

    it('report a new issue once, as it is when they are claimed', async () => {
      const store = await open('https://errata.example');
      await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(serverEvent(2))]);
      await store.ingest([eventEnvelope(serverEvent(3))]);

      const deliveries = (await claimed(store)) as readonly IssueDelivery[];

      const [issue] = (await store.ask('issues', 1, null)).issues;
      expect(deliveries).toEqual([
        {
          type: 'issue.new',
          timestamp: RECEIVED,
          data: {
            digest: issue?.digest,
            key: issue?.key,
            kind: 'server',
            isConfirmed: false,
            title: 'TypeError: order <n> has no items',
            frame: { place: expect.stringMatching(/^.+:\d+ \S+$/), source: null },
            project: projectName(PROJECT),
            release: 'shop@1.0.0',
            environment: 'production',
            level: 'error',
            events: 3,
            users: expect.any(Number),
            firstSeen: RECEIVED,
            lastSeen: RECEIVED,
            link: `https://errata.example/console/e/${issue?.digest}`,
          },
        },
      ]);
    });

    it('link to the issue of their own project when another project has the same digest', async () => {
      const store = await open('https://errata.example');
      const project = 'https://fedcba9876543210fedcba9876543210@errors.example/2';
      await store.ingest([eventEnvelope(serverEvent(1))]);
      await claimed(store);

      await store.ingest([eventEnvelope(serverEvent(2), { project })]);

      const [delivery] = (await claimed(store)) as readonly IssueDelivery[];
      expect(delivery?.data).toMatchObject({
        project: 'errors.example/2',
        link: `https://errata.example/console/e/${delivery?.data.digest}?project=${encodeURIComponent(project)}`,
      });
    });

    it('report a regressed issue, and no resolved issue without new events', async () => {
      const store = await open();
      await ingestFaults(store, 1, 2);
      await claimed(store);
      const { issues } = await store.ask('issues', 10, null);
      await store.ask('setStatus', { issues, status: 'resolved' });
      const timestamp = (RECEIVED_MS + MINUTE_MS) / 1000;

      await store.ingest([eventEnvelope(serverEvent(3, fileOf(1), { timestamp }))]);

      const deliveries = (await claimed(store)) as readonly IssueDelivery[];
      expect(deliveries.map(({ type, data }) => [type, data.title, data.events])).toEqual([
        ['issue.regressed', 'TypeError: order <n> has no items', 2],
      ]);
    });

    it.each([
      ['the level and environment', { level: 'warning', environment: 'staging' }, ['warning', 'staging']],
      ['an environment of an event without level', { environment: 'qa' }, ['error', 'qa']],
      ['the level of an event without environment', { level: 'fatal', environment: null }, ['fatal', null]],
    ])('name %s of the newest event', async (_name, members, named) => {
      const store = await open();
      const of = (number: number, changes: object, receivedAtMs = RECEIVED_MS) =>
        eventEnvelope(serverEvent(number, 'a/b', { ...changes, timestamp: receivedAtMs / 1000 }));
      await store.ingest([of(1, { level: 'info' }), of(2, members, RECEIVED_MS + MINUTE_MS)]);

      const [delivery] = (await claimed(store)) as readonly IssueDelivery[];

      expect([delivery?.data.level, delivery?.data.environment]).toEqual(named);
    });

    it('are not queued without a target', async () => {
      await (await stores.open()).ingest([eventEnvelope(serverEvent(1))]);

      expect(await claimed(await open())).toEqual([]);
    });

    it('are claimed by one process only, until the lease ends', async () => {
      const [store, other] = [await open(), await open()];
      await ingestFaults(store, 1, 6);

      const both = (await Promise.all([claimedIds(store), claimedIds(other)])).flat();
      stores.nowMs += 5 * MINUTE_MS;
      const again = await claimedIds(other);

      expect(new Set(both).size).toBe(6);
      expect(both).toHaveLength(6);
      expect(again.toSorted()).toEqual(both.toSorted());
    });

    it('are deleted once accepted, and claimed again at the time of the next attempt', async () => {
      const store = await open();
      await ingestFaults(store, 1, 2);
      const { alerts } = await store.ask('claimAlerts', TARGET.id);
      const [accepted, failed] = alerts;

      await store.ask('settleAlert', accepted?.id ?? 0, null);
      const retry = { atMs: stores.nowMs + MINUTE_MS, reason: 'status_500' };
      await store.ask('settleAlert', failed?.id ?? 0, retry);
      const early = await claimed(store);
      stores.nowMs += MINUTE_MS;
      const { alerts: later } = await store.ask('claimAlerts', TARGET.id);

      expect(early).toEqual([]);
      expect(later).toEqual([{ ...failed, attempts: 2 }]);
    });

    it('are limited to 20 a minute: one summary replaces and counts the others', async () => {
      const store = await open('https://errata.example');
      for (let from = 100; from < 500; from += 100) await ingestFaults(store, from, 100);

      const first = await claimed(store);
      await ingestFaults(store, 500, 50);
      const atOnce = await claimed(store);
      stores.nowMs += MINUTE_MS;
      const next = await claimed(store);

      expect(first).toHaveLength(MAX_PER_MINUTE);
      const summary = first.at(-1) as SummaryDelivery;
      expect(summary).toMatchObject({
        type: 'issues.summary',
        data: {
          counts: { 'issue.new': 400 - (MAX_PER_MINUTE - 1), 'issue.regressed': 0 },
          link: 'https://errata.example/console/issues',
        },
      });
      const named = first.flatMap((delivery) =>
        delivery.type === 'issues.summary' ? delivery.data.issues : [delivery.data],
      );
      expect(new Set(named.map(({ key }) => key)).size).toBe(MAX_PER_MINUTE - 1 + 20);
      expect(atOnce).toEqual([]);
      expect((next.at(-1) as SummaryDelivery).data.counts['issue.new']).toBe(50 - (MAX_PER_MINUTE - 1));
    });

    it('of all replicas and all claims of a minute share its limit', async () => {
      const [store, other] = [await open(), await open()];
      await ingestFaults(store, 100, 12);
      const first = await claimed(store);
      await ingestFaults(store, 200, 12);
      const second = await claimed(other);
      await ingestFaults(store, 300, 12);
      const third = await claimed(store);
      stores.nowMs += MINUTE_MS;
      const next = await claimed(other);

      expect([first, second, third, next].map(({ length }) => length)).toEqual([12, 8, 0, 12]);
      expect(second.at(-1)).toMatchObject({
        type: 'issues.summary',
        data: { counts: { 'issue.new': 5 } },
      });
    });

    it('include earlier summaries that were not accepted in a new one', async () => {
      const store = await open();
      await ingestFaults(store, 100, 50);
      await claimed(store);
      stores.nowMs += 10 * MINUTE_MS;
      await ingestFaults(store, 200, 10);

      const again = await claimed(store);

      expect(again).toHaveLength(MAX_PER_MINUTE);
      expect((again.at(-1) as SummaryDelivery).data.counts['issue.new']).toBe(50 + 10 - (MAX_PER_MINUTE - 1));
    });

    it('are dropped after a day, and counted', async () => {
      const store = await open();
      await ingestFaults(store, 1, 3);
      const { alerts } = await store.ask('claimAlerts', TARGET.id);
      stores.nowMs += 24 * HOUR_MS;
      await ingestFaults(store, 4, 1);

      const { alerts: left, dropped } = await store.ask('claimAlerts', TARGET.id);

      expect(alerts).toHaveLength(3);
      expect(dropped).toBe(3);
      expect(left).toHaveLength(1);
    });

    it('are dropped with an issue that retention deletes', async () => {
      const store = await open();
      await ingestFaults(store, 1, 2);
      await store.ask('retain', { maxAgeMs: 0, maxBytes: 0 }, RECEIVED_MS + 1);
      const { issues } = await store.ask('issues', 10, null);

      const left = (await claimed(store)) as readonly IssueDelivery[];

      expect([left.map(({ data }) => data.key), left.length]).toEqual([issues.map(({ key }) => key), 1]);
    });

    describe('of issues whose events were erased', () => {
      const [NAME, WORDS] = ['ann@shop.example', 'no account of'];
      const personal = (number: number) =>
        eventEnvelope(
          serverEvent(number, fileOf(number), {
            user: { email: NAME },
            exception: { values: [{ type: 'TypeError', value: `${WORDS} ${NAME}` }] },
            message: fileOf(number),
            request: { url: `https://shop.example/${fileOf(number)}` },
          }),
        );

      it('contain the class of the error and nothing personal', async () => {
        const store = await open();
        await store.ingest([personal(1)]);

        await store.ask('erase', { user: NAME }, RECEIVED_MS + MINUTE_MS);

        expect(await claimed(store)).toMatchObject([
          { data: { title: 'TypeError', events: 1, environment: null, level: null } },
        ]);
      });

      it('contain nothing personal at a retry, with the same id, and in a summary', async () => {
        const store = await open();
        await store.ingest(Array.from({ length: 30 }, (_, index) => personal(index + 1)));
        const { alerts: before } = await store.ask('claimAlerts', TARGET.id);

        await store.ask('erase', { user: NAME }, RECEIVED_MS + MINUTE_MS);
        stores.nowMs += HOUR_MS;
        const { alerts: retried } = await store.ask('claimAlerts', TARGET.id);

        expect(JSON.stringify(before)).toContain(WORDS);
        expect(idsOf(retried)).toEqual(idsOf(before));
        const last = retried.map(({ body }) => body).at(-1) as SummaryDelivery;
        expect(last.data.issues).toHaveLength(11);
        expect(JSON.stringify(retried)).not.toContain(WORDS);
      });

      it('are not claimed before the erasure is complete', async () => {
        const store = await open();
        await store.ingest(Array.from({ length: 400 }, (_, index) => personal(index + 1)));
        const erasure = { isDone: false };
        const erasing = store.ask('erase', { user: NAME }, RECEIVED_MS + MINUTE_MS).finally(() => {
          erasure.isDone = true;
        });
        while ((await store.ask('erasuresSince', 0)).length === 0) await new Promise(setImmediate);

        const bodies: QueuedBody[] = [];
        while (!erasure.isDone) {
          bodies.push(...(await claimed(store)));
          // The embedded database is synchronous: the erasure continues between the claims.
          await new Promise(setImmediate);
        }
        await erasing;
        bodies.push(...(await claimed(store)));

        expect(bodies.length).toBeGreaterThan(0);
        expect(JSON.stringify(bodies)).not.toContain(WORDS);
      });
    });
  });
}
