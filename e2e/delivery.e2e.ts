import { expect, test } from '@playwright/test';
import type {
  DeadLetterList,
  DeadLetterResult,
  DeliveryState,
} from '@errata/backend/contract/delivery-api.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };

test('a dead letter is shown with its reason, and sent again once its upstream takes it', async () => {
  const upstream = new FakeUpstream();
  upstream.status = 413;
  await upstream.up();
  const errata = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } }).start();
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${errata.url}/console/api/${path}`, { headers: AUTHORIZATION })).json()) as T;
  const eventId = newEventId();

  await fetch(`${errata.url}/tunnel`, { method: 'POST', body: errorEnvelope(upstream.dsn, eventId) });
  let letters: DeadLetterList['deadLetters'] = [];
  await expect(async () => {
    ({ deadLetters: letters } = await get<DeadLetterList>('dead-letters'));
    expect(letters).toHaveLength(1);
  }).toPass();
  upstream.status = 200;
  const answer = await fetch(`${errata.url}/console/api/dead-letters/redrive`, {
    method: 'POST',
    headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
    body: JSON.stringify({ ids: letters.map(({ id }) => id) }),
  });
  await upstream.until((arrived) => arrived.some((one) => one.eventId === eventId));

  expect(letters[0]).toMatchObject({ eventId, reason: 'send_error', status: 413, canRedrive: true });
  expect((await answer.json()) as DeadLetterResult).toEqual({ done: 1 });
  await expect(async () => {
    const state = await get<DeliveryState>('delivery');
    expect(state).toMatchObject({
      accepted: 2,
      delivered: 1,
      deadLettered: 1,
      held: 0,
      missing: 0,
      deadLetters: 0,
    });
  }).toPass();
  expect(await errata.stop()).toBe(0);
  await upstream.down();
});

test('the dead letters are for who is signed in', async () => {
  const errata = await new ErrataProcess().start();

  const statuses = await Promise.all(
    ['delivery', 'dead-letters'].map(
      async (path) => (await fetch(`${errata.url}/console/api/${path}`)).status,
    ),
  );
  const crossSite = await fetch(`${errata.url}/console/api/dead-letters/discard`, {
    method: 'POST',
    headers: { ...AUTHORIZATION, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
    body: '{"ids":[1]}',
  });

  expect(statuses).toEqual([401, 401]);
  expect(crossSite.status).toBe(403);
  expect(await errata.stop()).toBe(0);
});

test('what waits for an upstream that is no longer in the settings is told of', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  await upstream.down();
  const other = upstream.dsn.replace('//', '//0');
  const first = new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } });
  await first.start();
  await fetch(`${first.url}/tunnel`, { method: 'POST', body: errorEnvelope(upstream.dsn, newEventId()) });
  await first.kill();

  const { dataDir } = first;
  const errata = await new ErrataProcess({ environment: { SENTRY_DSN: other }, dataDir }).start();

  await expect(async () => {
    const metrics = await (await fetch(`${errata.managementUrl}/metrics`)).text();
    expect(metrics).toContain('errata_spool_stranded 1');
    expect(errata.records).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: 'upstream_not_in_settings', envelopes: 1 }),
    );
  }).toPass();
  expect(await errata.stop()).toBe(0);
  await first.stop();
});
