import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import type {
  DeadLetterDetail,
  DeadLetterList,
  DeadLetterResult,
  DeliveryState,
} from '@errata/backend/contract/delivery-api.ts';
import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import { isNoSession, QUICK_REFUSALS, untilDeadLetters } from './fixtures/dead-letters.ts';
import { send, signIn } from './fixtures/console-pages.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

const AUTHORIZATION = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

async function get<T>({ url }: ErrataProcess, path: string): Promise<T> {
  return (await (await fetch(`${url}/console/api/${path}`, { headers: AUTHORIZATION })).json()) as T;
}

/** Waits until the event is in the store with this delivery status. */
async function untilDelivery(
  errata: ErrataProcess,
  eventId: string,
  wanted: Partial<EventDetail['delivery']>,
): Promise<EventDetail['delivery']> {
  let delivery: EventDetail['delivery'] | undefined;
  await expect(async () => {
    ({ delivery } = await get<EventDetail>(errata, `events/${eventId}`));
    expect(delivery).toMatchObject(wanted);
  }).toPass();
  if (delivery === undefined) throw new Error('the event has no delivery');
  return delivery;
}

test('an event is queued while its upstream is down, then delivered, and its status survives a restart', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  await upstream.down();
  const environment = { SENTRY_DSN: upstream.dsn, ERRATA_BACKOFF_MAX: '200ms' };
  const first = await new ErrataProcess({ environment }).start();
  const eventId = newEventId();

  await fetch(`${first.url}/tunnel`, { method: 'POST', body: errorEnvelope(upstream.dsn, eventId) });
  const queued = await untilDelivery(first, eventId, { state: 'queued', reason: 'econnrefused' });
  await upstream.up();
  const delivered = await untilDelivery(first, eventId, { state: 'delivered' });
  // A kill before the settlement is on disk would deliver the event twice.
  await expect(async () => {
    expect(await get<DeliveryState>(first, 'delivery')).toMatchObject({ delivered: 1, queued: 0 });
  }).toPass();
  await first.kill();
  const { dataDir } = first;
  const errata = await new ErrataProcess({ environment, dataDir }).start();
  const after = await untilDelivery(errata, eventId, { state: 'delivered' });
  const { sinks, stored, bytes, maxBytes } = await get<DeliveryState>(errata, 'delivery');

  const place = upstream.dsn.replace(/^.*@/, '');
  expect(queued).toMatchObject({ upstream: place, deadLetterId: null });
  expect(delivered.tries).toBeGreaterThan(1);
  expect(delivered.time).not.toBeNull();
  expect(after).toMatchObject({ time: null, tries: null, upstream: place });
  expect(sinks.map(({ state, queued: left }) => [state, left])).toEqual([
    ['flowing', 0],
    ['flowing', 0],
  ]);
  expect([stored, bytes, maxBytes]).toEqual([1, 0, 512 * 2 ** 20]);
  expect(await errata.stop()).toBe(0);
  await first.stop();
  await upstream.down();
});

/** Sets the clock of Errata five minutes ahead at each SIGUSR2. */
const LEAP = `--import=data:text/javascript,${encodeURIComponent(`
  const nowMs = performance.now.bind(performance);
  let aheadMs = 0;
  performance.now = () => nowMs() + aheadMs;
  process.on('SIGUSR2', () => (aheadMs += 300_000));
`)}`;

test('the page says since when and why events wait, and that they move again, without a reload', async ({
  page,
}) => {
  const upstream = new FakeUpstream();
  await upstream.up();
  const environment = { SENTRY_DSN: upstream.dsn, ERRATA_BACKOFF_MAX: '200ms' };
  const errata = await new ErrataProcess({ environment, nodeOptions: [LEAP] }).start();
  const place = upstream.dsn.replace(/^.*@/, '');
  const [waits, needsAttention] = [`Waiting for ${place}`, `${place} needs attention`];
  const post = () => send(errata, errorEnvelope(upstream.dsn, newEventId()));
  const leap = () => process.kill(errata.pid, 'SIGUSR2');
  const says = async (title: string, sentence: RegExp) => {
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByText(sentence)).toBeVisible();
  };
  await signIn(page, errata.url);
  await page.goto(`${errata.url}/console/delivery`);
  await says('No envelopes yet', /^The first envelope appears here/);

  [upstream.status, upstream.headers] = [429, { 'retry-after': '60' }];
  await post();
  await says(waits, /^Errors are limited until /);
  leap();
  [upstream.status, upstream.headers] = [500, {}];
  await post();
  await says(waits, /^HTTP 500 from the upstream since /);
  leap();
  await says(needsAttention, /^HTTP 500 .* The oldest error expires on /);
  upstream.status = 405;
  await says(needsAttention, /^HTTP 405 from the upstream since /);
  [upstream.status, upstream.body] = [200, '<html>'];
  await says(needsAttention, /^Answered with a web page since /);
  await upstream.down();
  await says(needsAttention, /^Connection refused since /);
  [upstream.status, upstream.body] = [403, '{}'];
  await upstream.up();
  await says(needsAttention, /^Rejects the DSN since .* \(HTTP 403\)/);
  upstream.status = 200;
  await page.getByRole('button', { name: 'Retry now' }).click();
  await says('All destinations accept events', /^2 envelopes accepted/);

  expect(await errata.stop()).toBe(0);
  await upstream.down();
});

test('a rejected event links to its dead letter, which is shown with its reason, without secrets, and sent again', async () => {
  const upstream = new FakeUpstream();
  upstream.refuses = isNoSession;
  await upstream.up();
  const environment = { SENTRY_DSN: upstream.dsn, ...QUICK_REFUSALS };
  const errata = await new ErrataProcess({ environment }).start();
  const eventId = newEventId();
  const body = errorEnvelope(upstream.dsn, eventId, 'no login with password=hunter2');

  await fetch(`${errata.url}/tunnel`, { method: 'POST', body });
  await untilDeadLetters(errata, upstream);
  const { deadLetterId } = await untilDelivery(errata, eventId, { state: 'dead_lettered', status: 413 });
  const { deadLetters: letters } = await get<DeadLetterList>(errata, 'dead-letters');
  const letter = await get<DeadLetterDetail>(errata, `dead-letters/${deadLetterId}`);
  upstream.refuses = () => false;
  const redriven = await fetch(`${errata.url}/console/api/dead-letters/redrive`, {
    method: 'POST',
    headers: AUTHORIZATION,
    body: JSON.stringify({ ids: letters.map(({ id }) => id) }),
  });
  await untilDelivery(errata, eventId, { state: 'delivered', deadLetterId: null });
  const missing = await fetch(`${errata.url}/console/api/dead-letters/999-${deadLetterId?.split('-')[1]}`, {
    headers: AUTHORIZATION,
  });

  expect(letters).toMatchObject([
    { id: deadLetterId, eventId, reason: 'send_error', status: 413, canRedrive: true },
  ]);
  expect(letter).toMatchObject({ eventId, status: 413, unread: null, items: [{ type: 'event' }] });
  expect(letter.items[0]?.text).toContain('password=[Filtered]');
  expect(JSON.stringify(letter)).not.toContain('hunter2');
  expect((await redriven.json()) as DeadLetterResult).toEqual({ done: 1 });
  expect(upstream.arrived.find((one) => one.eventId === eventId)?.items.toString()).toContain('hunter2');
  expect(missing.status).toBe(404);
  await expect(async () => {
    const state = await get<DeliveryState>(errata, 'delivery');
    expect(state).toMatchObject({
      accepted: 3,
      delivered: 2,
      deadLettered: 1,
      queued: 0,
      missing: 0,
      deadLetters: 0,
      ledger: expect.arrayContaining([{ fate: 'accepted', reason: 'redriven', count: 1 }]),
    });
  }).toPass();
  expect(await errata.stop()).toBe(0);
  await upstream.down();
});

test.describe('a process without an upstream', () => {
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    errata = await new ErrataProcess({ environment: { ERRATA_ENVELOPE_MAX_BYTES: '100KiB' } }).start();
  });
  test.afterAll(async () => expect(await errata.stop()).toBe(0));

  test('a text without results lists counted reasons', async () => {
    const dsn = 'https://0123456789abcdef0123456789abcdef@sentry.invalid/1';
    const body = errorEnvelope(dsn, newEventId(), 'x'.repeat(200_000));
    await fetch(`${errata.url}/tunnel`, { method: 'POST', body });
    await fetch(`${errata.url}/tunnel`, { method: 'POST', body: errorEnvelope(dsn, newEventId()) });

    const { reading, hint } = await get<FindAnswer>(errata, `find?q=${newEventId()}`);
    const { rejected } = await get<DeliveryState>(errata, 'delivery');

    expect(reading).toBe('event_id');
    expect(hint).toMatchObject({ retentionDays: 30, deleted: 0, lost: null, queued: 0, oldestStored: null });
    expect(hint?.rejected).toEqual(
      expect.arrayContaining([
        { reason: 'too_large', count: 1 },
        { reason: 'not_allowed', count: 1 },
      ]),
    );
    expect(rejected).toEqual(hint?.rejected);
  });

  test('the raw event is a download', async () => {
    await fetch(`${errata.url}/demo/server-error?id=1`);
    let eventId = '';
    await expect(async () => {
      const { issues } = await get<{ issues: { digest: string }[] }>(errata, 'issues');
      const answer = await get<{ latest: EventDetail }>(errata, `issues/${issues[0]?.digest}`);
      ({ eventId } = answer.latest);
      expect(answer.latest.delivery).toMatchObject({ state: 'stored_only' });
    }).toPass();

    const answer = await fetch(`${errata.url}/console/api/events/${eventId}/raw`, { headers: AUTHORIZATION });

    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="event-${eventId}.json"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(await answer.json()).toMatchObject({ event_id: eventId, request: { method: 'GET' } });
  });

  test('the dead letters require a session', async () => {
    const statuses = await Promise.all(
      ['delivery', 'dead-letters'].map(
        async (path) => (await fetch(`${errata.url}/console/api/${path}`)).status,
      ),
    );
    const crossSite = await fetch(`${errata.url}/console/api/dead-letters/discard`, {
      method: 'POST',
      headers: { ...AUTHORIZATION, 'sec-fetch-site': 'cross-site' },
      body: '{"ids":[1]}',
    });

    expect(statuses).toEqual([401, 401]);
    expect(crossSite.status).toBe(403);
  });
});

test('envelopes queued for a removed upstream are shown, and discarded', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  await upstream.down();
  const environment = { SENTRY_DSN: upstream.dsn.replace('//', '//0') };
  const first = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } }).start();
  await fetch(`${first.url}/tunnel`, { method: 'POST', body: errorEnvelope(upstream.dsn, newEventId()) });
  await first.kill();
  const errata = await new ErrataProcess({ environment, dataDir: first.dataDir }).start();

  await expect(async () => {
    const metrics = await (await fetch(`${errata.managementUrl}/metrics`)).text();
    expect(metrics).toContain('errata_spool_stranded 1');
    expect(errata.records).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: 'upstream_not_in_settings', envelopes: 1 }),
    );
    const { verdict } = await get<DeliveryState>(errata, 'delivery');
    const place = upstream.dsn.replace(/^.*@/, '');
    expect(verdict).toMatchObject({ level: 'action', causes: [{ kind: 'stranded', place, envelopes: 1 }] });
  }).toPass();
  const asked = { method: 'POST', headers: AUTHORIZATION, body: JSON.stringify({ project: upstream.dsn }) };
  await fetch(`${errata.url}/console/api/delivery/discard`, asked);
  await expect.poll(() => get(errata, 'delivery')).toMatchObject({ dropped: 1, queued: 0, missing: 0 });
  expect(await errata.stop()).toBe(0);
  await first.stop();
});
