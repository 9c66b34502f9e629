import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import type { DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import { ask, seed } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';

/** Waits until the store has all that was sent. */
async function untilStored(errata: ErrataProcess): Promise<void> {
  await expect
    .poll(async () => (await ask<DeliveryState>(errata, '/console/api/delivery')).sinks)
    .toContainEqual(expect.objectContaining({ name: 'store', queued: 0 }));
}

/** Events of the seed, without those of the demo's requests. */
async function countSeeded(errata: ErrataProcess): Promise<number> {
  const { issues } = await ask<{ issues: readonly { title: string; events: number }[] }>(
    errata,
    '/console/api/issues',
  );
  const own = issues.filter(({ title }) => !/^CheckoutError|^TypeError: The total/.test(title));
  return own.reduce((sum, { events }) => sum + events, 0);
}

test('make seed sends data to a running Errata over HTTP, and prints three digests that are found', async () => {
  const errata = await new ErrataProcess().start();

  const said = await seed(errata, '1');

  expect(said).toContain('a dead letter');
  const digests = [...said.matchAll(/^ {2}(\S+) {2}.*\n {4}http\S+\/console\/e\/\1$/gm)].map(
    ([, digest]) => digest,
  );
  expect(digests).toHaveLength(3);
  const issues = await Promise.all(
    digests.map((digest) =>
      ask<{ kind: string; latest: { unmapped: string | null }; related: readonly unknown[] }>(
        errata,
        `/console/api/issues/${digest}`,
      ),
    ),
  );
  expect(issues.map(({ kind }) => kind)).toEqual(['server', 'browser', 'server']);
  expect(issues[1]?.latest.unmapped).toBeNull();
  expect(issues[2]?.related).toHaveLength(1);

  await untilStored(errata);
  const before = await countSeeded(errata);
  expect(before).toBeGreaterThan(150);
  await seed(errata, '1');
  await untilStored(errata);
  expect(await countSeeded(errata)).toBe(before);
  await errata.stop();
});
