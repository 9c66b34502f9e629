import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../store/event-store.ts';
import { serverKeyOf, keyWithCopy } from './key-copy.ts';

const KEY = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

type Ask = Parameters<typeof keyWithCopy>[2];

const storeWith =
  (key: string): Ask =>
  () =>
    Promise.resolve(key);

/** A store that was created again: it has no key. */
const NEW_STORE: Ask = (_name, copy) => Promise.resolve(copy ?? OTHER);

const AWAY: Ask = () => Promise.reject(new StoreUnavailable('disk full'));

describe('keyWithCopy', () => {
  let directory: string;
  const warnings: unknown[] = [];
  const log = { warn: (_fields: unknown, event?: string) => void warnings.push(event) };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-key-'));
    warnings.length = 0;
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('is the copy while the store is away', async () => {
    await keyWithCopy('own_project_key', directory, storeWith(KEY), log);

    expect(await keyWithCopy('own_project_key', directory, AWAY, log)).toBe(KEY);
    expect(warnings).toEqual(['started_without_store']);
  });

  it('is the key of the store, which replaces another copy', async () => {
    await keyWithCopy('own_project_key', directory, storeWith(OTHER), log);

    expect(await keyWithCopy('own_project_key', directory, storeWith(KEY), log)).toBe(KEY);
    expect(await keyWithCopy('own_project_key', directory, AWAY, log)).toBe(KEY);
  });

  it('is the copy for a store that was created again', async () => {
    await keyWithCopy('own_project_key', directory, storeWith(KEY), log);

    expect(await keyWithCopy('own_project_key', directory, NEW_STORE, log)).toBe(KEY);
    expect(await keyWithCopy('server_key', directory, NEW_STORE, log)).toBe(OTHER);
  });

  it('is missing while the store is away and there is no copy', async () => {
    await expect(keyWithCopy('own_project_key', directory, AWAY, log)).rejects.toThrow('disk full');
  });

  it('is not read from a file that was cut off', async () => {
    writeFileSync(join(directory, 'own-project.key'), KEY.slice(1));

    await expect(keyWithCopy('own_project_key', directory, AWAY, log)).rejects.toThrow('disk full');
  });

  it('is the key of the store when it cannot be copied', async () => {
    expect(await keyWithCopy('own_project_key', join(directory, 'missing'), storeWith(KEY), log)).toBe(KEY);
    expect(warnings).toEqual(['key_not_copied']);
  });

  it('is readable by the owner only', async () => {
    await keyWithCopy('own_project_key', directory, storeWith(KEY), log);

    expect(statSync(join(directory, 'own-project.key')).mode & 0o777).toBe(0o600);
  });

  it('has a copy of its own for each name', async () => {
    await keyWithCopy('own_project_key', directory, storeWith(KEY), log);

    await expect(keyWithCopy('server_key', directory, AWAY, log)).rejects.toThrow('disk full');
  });
});

describe('serverKeyOf', () => {
  const project = `https://${KEY}@errata.invalid/1`;

  it('has the form of a DSN’s key', () => {
    expect(serverKeyOf(KEY, project)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is the same at each start, and differs by project and by stored key', () => {
    const keys = [
      serverKeyOf(KEY, project),
      serverKeyOf(KEY, project),
      serverKeyOf(KEY, `${project}2`),
      serverKeyOf(OTHER, project),
    ];

    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });
});
