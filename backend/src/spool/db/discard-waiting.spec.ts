import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { balanceOf } from '../../outcome/balance.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { DAY_MS } from '../../time/iso.ts';
import { LIMITS } from '../spool.fixture.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, newRow, PROJECT, queuedIds } from './spool-file.fixture.ts';

const REMOVED = 'https://key@removed.example/7';
const BOTH = UPSTREAM_BIT | STORE_BIT;
const NOW_MS = Date.UTC(2026, 10, 21);

describe('envelopes that wait for a DSN', () => {
  let directory: string;
  let file: SpoolFile;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-file-'));
    file = new SpoolFile(directory, { ...LIMITS, maxBytes: 2 ** 24 });
  });

  afterEach(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });

  const balance = () => balanceOf(file.counts().ledger, file.counts().queued);

  it('are counted with the time at which the first of them expires', () => {
    commit(file, {
      appends: [
        newRow({ project: REMOVED, receivedAtMs: NOW_MS }),
        newRow({ project: REMOVED, receivedAtMs: NOW_MS + 1, lifetime: 'other' }),
        newRow({ receivedAtMs: NOW_MS - DAY_MS }),
        newRow({ project: REMOVED, receivedAtMs: 1, pending: STORE_BIT }),
      ],
    });

    expect(file.counts().forUpstreams).toEqual([
      { project: REMOVED, envelopes: 2, expiresMs: NOW_MS + 1 + DAY_MS },
      { project: PROJECT, envelopes: 1, expiresMs: NOW_MS + 6 * DAY_MS },
    ]);
  });

  it('are discarded for it alone, as an operator wants it, and not reported', () => {
    const eventId = 'e1'.repeat(16);
    const { ids } = commit(file, {
      appends: [
        newRow({ project: REMOVED, eventId, receivedAtMs: NOW_MS }),
        newRow({ project: REMOVED, pending: BOTH }),
        newRow(),
      ],
    });

    const batch = file.discardWaiting(REMOVED, 0);
    const toStore = queuedIds(file, STORE_BIT);
    commit(file, { delivered: toStore.map((id) => ({ id, bits: STORE_BIT, digest: null })) });

    expect([batch, toStore, queuedIds(file)]).toEqual([{ discarded: 2, next: null }, [ids[1]], [ids[2]]]);
    expect(balance()).toMatchObject({ accepted: 3, dropped: 2, queued: 1, delivered: 0, missing: 0 });
    expect(file.counts().ledger).toContainEqual({
      fate: 'dropped',
      reason: 'upstream_not_in_settings',
      count: 2,
    });
    expect(file.counts().discards).toEqual([]);
    expect(file.traces.trace({ eventId, project: REMOVED, receivedAtMs: NOW_MS }).lost).toMatchObject({
      fate: 'discarded',
      reason: 'upstream_not_in_settings',
    });
  });

  it('are discarded batch by batch, and the ledger balances between two', () => {
    commit(file, { appends: Array.from({ length: 1_001 }, () => newRow({ project: REMOVED })) });

    const first = file.discardWaiting(REMOVED, 0);
    file.close();
    file = new SpoolFile(directory, { ...LIMITS, maxBytes: 2 ** 24 });
    const between = balance();
    const rest = file.discardWaiting(REMOVED, 0);

    expect(first).toEqual({ discarded: 1_000, next: 1_000 });
    expect(between).toMatchObject({ accepted: 1_001, dropped: 1_000, queued: 1, missing: 0 });
    expect(rest).toEqual({ discarded: 1, next: null });
    expect(balance()).toMatchObject({ dropped: 1_001, queued: 0, missing: 0 });
  });

  it('are none for a DSN without any envelope so far', () => {
    expect(file.discardWaiting(REMOVED, 0)).toEqual({ discarded: 0, next: null });
  });
});
