import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import type { LiveEvents } from '@errata/backend/contract/live-api.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';

async function poll({ url }: ErrataProcess, after?: string): Promise<LiveEvents> {
  const query = after === undefined ? '' : `?after=${after}`;
  const response = await fetch(`${url}/console/api/live${query}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  return (await response.json()) as LiveEvents;
}

/** Polls until there are events. */
async function newEvents(errata: ErrataProcess, after: string): Promise<LiveEvents> {
  let answer = await poll(errata, after);
  await expect(async () => {
    answer = await poll(errata, after);
    expect(answer.events.length).toBeGreaterThan(0);
  }).toPass();
  return answer;
}

async function fail({ url }: ErrataProcess): Promise<string> {
  return (await fetch(`${url}/demo/server-error`)).headers.get('x-errata-digest') ?? '';
}

test('errors appear as they arrive, also to a client that asks again later', async () => {
  const errata = await new ErrataProcess().start();
  const { next } = await poll(errata);
  const digest = await fail(errata);
  const first = await newEvents(errata, next);
  await fail(errata);
  const second = await newEvents(errata, first.next);

  const again = await poll(errata, next);

  expect([...first.events, ...second.events].map((event) => [event.digest, event.isNew, event.kind])).toEqual(
    [
      [digest, true, 'server'],
      [digest, false, 'server'],
    ],
  );
  expect(again).toEqual({ events: [...first.events, ...second.events], passed: 0, next: second.next });
  expect(await errata.stop()).toBe(0);
});
