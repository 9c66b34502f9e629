import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import type { AlertTarget } from '../outbox/targets.ts';
import { alertOptions, EVERY_ALERT, TARGET } from './alert-options.fixture.ts';
import { eventEnvelope, serverEvent } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

const MINUTE_MS = 60_000;
/** Ten a minute, of production and of another environment. */
const TEN = { max: 10, perMs: MINUTE_MS };
const PRODUCTION: AlertTarget = {
  ...TEN,
  id: 'production',
  filter: { ...EVERY_ALERT, environments: ['production'] },
};
const STAGING: AlertTarget = { ...TEN, id: 'staging', filter: { ...EVERY_ALERT, environments: ['staging'] } };
/** One an hour of everything. */
const HOURLY: AlertTarget = { id: 'hourly', filter: EVERY_ALERT, max: 1, perMs: HOUR_MS };

async function makeIssues(store: TestedStore, environment: string, from: number, count: number) {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  const wordOf = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  await store.ingest(
    numbers.map((number) =>
      eventEnvelope(serverEvent(number, `${environment}/${wordOf(number)}`, { environment })),
    ),
  );
}

/** Sends the due messages of a target: all are accepted, or all fail for a minute. Returns how many issues each reports. */
async function send(
  stores: StoresUnderTest,
  store: TestedStore,
  { id: target }: AlertTarget,
  isUp = true,
): Promise<readonly number[]> {
  const { alerts } = await store.ask('claimAlerts', target);
  for (const { id } of alerts) {
    const retry = { atMs: stores.nowMs + MINUTE_MS, reason: 'ECONNREFUSED' };
    await store.ask('settleAlert', id, isUp ? null : retry);
  }
  return alerts.map(({ body }) => {
    const parsed = body;
    return parsed.type === 'issues.summary' ? parsed.data.counts['issue.new'] : 1;
  });
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** Alerts of several targets. */
export function describeAlertTargets(stores: StoresUnderTest): void {
  describe('alerts of several targets', () => {
    const open = (...targets: readonly AlertTarget[]) =>
      stores.open(undefined, alertOptions(stores, null, targets));

    it('go to those whose filter allows them, each with its own limit', async () => {
      const store = await open(PRODUCTION, STAGING, HOURLY);
      await makeIssues(store, 'production', 100, 3);
      await makeIssues(store, 'staging', 200, 15);

      expect(await send(stores, store, PRODUCTION)).toEqual([1, 1, 1]);
      expect(await send(stores, store, STAGING)).toEqual([...Array.from({ length: 9 }, () => 1), 6]);
      expect(await send(stores, store, HOURLY)).toEqual([18]);
      const rows = await store.db
        .selectFrom('alert')
        .select('event')
        .where('target', '=', HOURLY.id)
        .execute();
      expect(rows).toEqual([{ event: 'issues.summary' }]);
    });

    it('are due once their target accepts another one, but not those of other targets, and none that is sent', async () => {
      const store = await open(PRODUCTION, HOURLY);
      await makeIssues(store, 'production', 100, 3);
      const [failed, accepted] = (await store.ask('claimAlerts', PRODUCTION.id)).alerts;
      const [other] = (await store.ask('claimAlerts', HOURLY.id)).alerts;
      const retry = { atMs: stores.nowMs + HOUR_MS, reason: 'timeout' };
      await store.ask('settleAlert', failed?.id ?? 0, retry);
      await store.ask('settleAlert', other?.id ?? 0, retry);
      const away = await send(stores, store, PRODUCTION);

      await store.ask('settleAlert', accepted?.id ?? 0, null);

      expect(away).toEqual([]);
      const { alerts } = await store.ask('claimAlerts', PRODUCTION.id);
      expect(alerts.map(({ id }) => id)).toEqual([failed?.id]);
      stores.nowMs += MINUTE_MS;
      expect(await send(stores, store, HOURLY)).toEqual([]);
    });

    it('are sent after the clock was set back', async () => {
      const store = await open(HOURLY);
      await makeIssues(store, 'production', 100, 1);
      await send(stores, store, HOURLY);
      stores.nowMs -= 4 * HOUR_MS;
      await makeIssues(store, 'production', 200, 1);

      // The time of a new alert is that of its event.
      stores.nowMs += 4 * HOUR_MS - 1;
      expect(await send(stores, store, HOURLY)).toEqual([1]);
    });

    it.each([
      ['https://shop.example/account/ann@shop.example?email=ann', '<url>:7'],
      ['blob:https://shop.example/4e1f', '<url>:7'],
      ['https://shop.example/assets/cart-4.js?v=ann', 'cart-4.js:7'],
      ['webpack://shop/./src/cart.ts', 'cart.ts:7'],
      ['C:\\shop\\cart.ts', 'C:\\shop\\cart.ts:7'],
      ['cart/total.ts#ann', 'cart/total.ts:7'],
    ])('name the place %s without an address', async (filename, place) => {
      const store = await open(HOURLY);
      const frame = { filename, function: 'load(ann@shop.example)', lineno: 7, in_app: true };
      const exception = { type: 'ann@shop.example 10.1.2.3', value: 'x', stacktrace: { frames: [frame] } };
      await store.ingest([eventEnvelope(serverEvent(1, 'cart', { exception: { values: [exception] } }))]);

      const [alert] = (await store.ask('claimAlerts', HOURLY.id)).alerts;
      expect(alert?.body.data).toMatchObject({
        title: '<email> <n>: x',
        frame: { place: `${place} <email>` },
      });
    });

    it('lose none while one of two is down for an hour: nine messages and one summary each', async () => {
      const store = await open(PRODUCTION, STAGING);
      for (let from = 1_000; from < 1_200; from += 100) {
        await makeIssues(store, 'production', from, 100);
        await makeIssues(store, 'staging', 1_000 + from, 100);
      }
      const up = await send(stores, store, PRODUCTION);
      for (let minutes = 0; minutes < 60; minutes += 1) {
        await send(stores, store, STAGING, false);
        stores.nowMs += MINUTE_MS;
      }
      const back = await send(stores, store, STAGING);
      stores.nowMs += HOUR_MS;
      const later = [await send(stores, store, PRODUCTION), await send(stores, store, STAGING)];

      expect([up, back].map((counts) => [counts.length, sumOf(counts)])).toEqual([
        [10, 200],
        [10, 200],
      ]);
      expect(later).toEqual([[], []]);
    });

    it('are never sent twice by two processes', async () => {
      const [one, other] = [await open(PRODUCTION), await open(PRODUCTION)];
      await makeIssues(one, 'production', 100, 8);

      const sent = await Promise.all([send(stores, one, PRODUCTION), send(stores, other, PRODUCTION)]);
      sent.push(await send(stores, other, PRODUCTION));

      expect(sumOf(sent.flat())).toBe(8);
    });

    it('of a target that has left the settings are deleted, and those not sent are counted', async () => {
      const store = await open(PRODUCTION, STAGING, HOURLY);
      await makeIssues(store, 'production', 100, 3);
      await makeIssues(store, 'staging', 200, 5);
      await send(stores, store, PRODUCTION);
      await send(stores, store, HOURLY, false);

      const next = await open(TARGET, STAGING);
      const dropped = await next.ask('dropOtherTargets');

      // One message: the summary of eight issues.
      expect(dropped).toBe(1);
      expect(await send(stores, next, STAGING)).toEqual([1, 1, 1, 1, 1]);
    });

    it('have a state: queue, last message, and since when the target fails', async () => {
      const store = await open(PRODUCTION, HOURLY);
      const state = async () => {
        const [{ waiting, sentMs, failed } = {}, ...others] = await store.ask('alertStates', [PRODUCTION.id]);
        expect(others).toEqual([]);
        return [
          waiting,
          sentMs && sentMs - beginMs,
          failed && { ...failed, sinceMs: failed.sinceMs - beginMs },
        ];
      };
      const beginMs = stores.nowMs;
      const reason = 'ECONNREFUSED';
      const before = await state();
      await makeIssues(store, 'production', 100, 2);
      const queued = await state();
      await send(stores, store, PRODUCTION, false);
      stores.nowMs += MINUTE_MS;
      await makeIssues(store, 'production', 200, 20);
      await send(stores, store, PRODUCTION, false);
      const down = await state();
      stores.nowMs += HOUR_MS;
      await send(stores, store, PRODUCTION);
      const back = await state();
      stores.nowMs += MINUTE_MS;
      await makeIssues(store, 'production', 300, 1);
      await send(stores, store, PRODUCTION, false);
      const again = await state();

      expect([before, queued]).toEqual([
        [0, null, null],
        [2, null, null],
      ]);
      expect(down).toEqual([10, null, { sinceMs: 0, attempts: 2, reason }]);
      expect(back).toEqual([0, MINUTE_MS + HOUR_MS, null]);
      expect(again).toEqual([
        1,
        MINUTE_MS + HOUR_MS,
        { sinceMs: 2 * MINUTE_MS + HOUR_MS, attempts: 1, reason },
      ]);
    });

    it('that fails again fails since the last one that was accepted', async () => {
      const store = await open(PRODUCTION);
      await makeIssues(store, 'production', 100, 2);
      stores.nowMs += MINUTE_MS;
      const sentMs = stores.nowMs;
      const { alerts } = await store.ask('claimAlerts', PRODUCTION.id);
      await store.ask('settleAlert', alerts[0]?.id ?? 0, null);
      await store.ask('settleAlert', alerts[1]?.id ?? 0, { atMs: sentMs + MINUTE_MS, reason: 'timeout' });
      const [half] = await store.ask('alertStates', [PRODUCTION.id]);
      stores.nowMs += MINUTE_MS;
      await send(stores, store, PRODUCTION, false);
      const [again] = await store.ask('alertStates', [PRODUCTION.id]);

      expect(half).toMatchObject({ waiting: 1, sentMs, failed: null });
      expect(again?.failed).toEqual({ sinceMs: sentMs, attempts: 2, reason: 'ECONNREFUSED' });
    });

    it('leave a target failing after they were given up, until a week has passed', async () => {
      const store = await open(PRODUCTION);
      const sinceMs = stores.nowMs;
      await makeIssues(store, 'production', 100, 15);
      await send(stores, store, PRODUCTION, false);
      stores.nowMs += DAY_MS;
      const { dropped } = await store.ask('claimAlerts', PRODUCTION.id);
      const [ended] = await store.ask('alertStates', [PRODUCTION.id]);
      const rows = () => store.db.selectFrom('alert').select('id').execute();
      const kept = (await rows()).length;
      stores.nowMs += 7 * DAY_MS;
      await makeIssues(store, 'production', 200, 1);
      await send(stores, store, PRODUCTION);

      // Nine messages, and the summary of six.
      expect([dropped, kept, (await rows()).length]).toEqual([10, 10, 1]);
      expect(ended).toEqual({
        id: PRODUCTION.id,
        waiting: 0,
        sentMs: null,
        failed: { sinceMs, attempts: 1, reason: 'ECONNREFUSED' },
      });
    });

    it('are kept for a week after they were sent, and counted in the limit of a day', async () => {
      const daily = { ...PRODUCTION, max: 2, perMs: DAY_MS };
      const store = await open(daily);
      await makeIssues(store, 'production', 100, 1);
      const first = await send(stores, store, daily);
      stores.nowMs += HOUR_MS;
      await makeIssues(store, 'production', 200, 3);
      const second = await send(stores, store, daily);
      await makeIssues(store, 'production', 300, 3);
      const third = await send(stores, store, daily);
      stores.nowMs += DAY_MS - HOUR_MS;
      const fourth = await send(stores, store, daily);

      expect([first, second, third, fourth]).toEqual([[1], [3], [], [3]]);
    });
  });
}
