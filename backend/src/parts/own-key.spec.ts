import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '../store/event-store.ts';
import { StoreUnavailable } from '../store/store-thread.ts';
import { ownKey } from './own-key.ts';

const KEY = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

function storeWith(key: string): Pick<EventStore, 'ask'> {
  return { ask: () => Promise.resolve(key as never) };
}

const AWAY: Pick<EventStore, 'ask'> = { ask: () => Promise.reject(new StoreUnavailable('disk full')) };

describe('ownKey', () => {
  let directory: string;
  const warnings: unknown[] = [];
  const log = { warn: (_fields: unknown, event?: string) => void warnings.push(event) };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-key-'));
    warnings.length = 0;
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('is the copy while the store is away', async () => {
    await ownKey(directory, storeWith(KEY), log);

    expect(await ownKey(directory, AWAY, log)).toBe(KEY);
    expect(warnings).toEqual(['started_without_store']);
  });

  it('is the key of the store, which replaces another copy', async () => {
    await ownKey(directory, storeWith(OTHER), log);

    expect(await ownKey(directory, storeWith(KEY), log)).toBe(KEY);
    expect(await ownKey(directory, AWAY, log)).toBe(KEY);
  });

  it('is missing while the store is away and there is no copy', async () => {
    await expect(ownKey(directory, AWAY, log)).rejects.toThrow('disk full');
  });

  it('is not read from a file that was cut off', async () => {
    writeFileSync(join(directory, 'own-project.key'), KEY.slice(1));

    await expect(ownKey(directory, AWAY, log)).rejects.toThrow('disk full');
  });

  it('is the key of the store when it cannot be copied', async () => {
    expect(await ownKey(join(directory, 'missing'), storeWith(KEY), log)).toBe(KEY);
    expect(warnings).toEqual(['own_key_not_copied']);
  });

  it('is readable by the owner only', async () => {
    await ownKey(directory, storeWith(KEY), log);

    expect(statSync(join(directory, 'own-project.key')).mode & 0o777).toBe(0o600);
  });
});
