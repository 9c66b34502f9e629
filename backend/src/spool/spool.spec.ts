import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool, type SpoolEvents } from './spool.ts';
import { type NewEnvelope, STORE_BIT, UPSTREAM_BIT } from './spooled-envelope.ts';

const PROJECT = 'https://key@errata.invalid/1';
const silent: SpoolEvents = { onLost: () => {}, onRotten: () => {}, onThreadDeath: () => {} };

function envelope(text: string, pending = UPSTREAM_BIT | STORE_BIT): NewEnvelope {
  return {
    project: PROJECT,
    source: 'tunnel',
    class: 0,
    receivedAtMs: 1_700_000_000_000,
    eventId: null,
    sender: { address: '192.0.2.1', userAgent: 'test', origin: null, referer: null, clientHints: {} },
    header: Buffer.from('{}'),
    items: Buffer.from(text),
    pending,
  };
}

const all = { afterId: 0, bit: UPSTREAM_BIT, project: null, limit: 100, maxBytes: 2 ** 20 };

describe('Spool', () => {
  let directory: string;
  let open: Spool[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-spool-'));
    open = [];
  });

  afterEach(async () => {
    for (const spool of open) await spool.close();
    rmSync(directory, { recursive: true });
  });

  async function openSpool(maxBytes = 2 ** 20, events: Partial<SpoolEvents> = {}): Promise<Spool> {
    const spool = await Spool.open({ directory, limits: { maxBytes } }, { ...silent, ...events });
    open.push(spool);
    return spool;
  }

  it('gives back the bytes and the sender of what was appended, oldest first', async () => {
    const spool = await openSpool();

    await Promise.all([spool.append(envelope('one')), spool.append(envelope('two'))]);
    const claimed = await spool.claim(all);

    expect(claimed.map(({ items }) => Buffer.from(items).toString())).toEqual(['one', 'two']);
    expect(claimed[0]).toMatchObject({
      ...envelope('one'),
      header: expect.anything(),
      items: expect.anything(),
    });
  });

  it('keeps what was appended over a restart and goes on counting its ids', async () => {
    const first = await openSpool();
    const before = await first.append(envelope('kept'));
    await first.close();

    const second = await openSpool();
    const after = await second.append(envelope('new'));

    expect(after).toBe(before + 1);
    expect(await second.claim(all)).toHaveLength(2);
  });

  it('holds an envelope until the last of its sinks has settled', async () => {
    const spool = await openSpool();
    const id = await spool.append(envelope('both'));

    spool.settle([{ id, bits: STORE_BIT, fate: 'delivered' }]);
    await spool.append(envelope('flush', UPSTREAM_BIT));
    const afterOne = await spool.counts();
    spool.settle([{ id, bits: UPSTREAM_BIT, fate: 'delivered' }]);
    await spool.append(envelope('flush', UPSTREAM_BIT));
    const afterBoth = await spool.counts();

    expect(afterOne).toMatchObject({ held: 2, ledger: { accepted: 2, delivered: 0 } });
    expect(afterBoth).toMatchObject({ held: 2, ledger: { accepted: 3, delivered: 1 } });
  });

  it('counts the worst fate when the sinks of an envelope disagree', async () => {
    const spool = await openSpool();
    const id = await spool.append(envelope('refused upstream'));

    spool.settle([{ id, bits: UPSTREAM_BIT, fate: 'dead_lettered' }]);
    spool.settle([{ id, bits: STORE_BIT, fate: 'delivered' }]);
    await spool.append(envelope('flush'));

    expect((await spool.counts()).ledger).toMatchObject({ delivered: 0, dead_lettered: 1 });
  });

  it('refuses an append when the cap is reached, and takes again once rows have gone', async () => {
    const spool = await openSpool(300 * 1024);
    const big = 'x'.repeat(60 * 1024);

    const ids: number[] = [];
    const filled = (async () => {
      for (;;) ids.push(await spool.append(envelope(big)));
    })();

    await expect(filled).rejects.toMatchObject({ name: 'SpoolUnavailable', reason: 'full' });
    spool.settle(ids.map((id) => ({ id, bits: UPSTREAM_BIT | STORE_BIT, fate: 'delivered' })));
    await expect(
      spool.append(envelope('small')).then(() => spool.append(envelope(big))),
    ).resolves.toBeGreaterThan(0);
  });

  it('refuses a directory another process or spool has, in one sentence', async () => {
    await openSpool();

    await expect(openSpool()).rejects.toThrow('Another process uses');
  });

  it('moves an unreadable file aside, reports what it lost, and starts fresh', async () => {
    const first = await openSpool();
    await first.append(envelope('one'));
    await first.append(envelope('two'));
    await first.close();
    writeFileSync(join(directory, 'spool.db'), 'this is no database'.repeat(500));
    const lost: number[] = [];

    const second = await openSpool(2 ** 20, { onLost: (envelopes) => lost.push(envelopes) });
    await second.append(envelope('three'));

    expect(lost).toEqual([2]);
    expect(readdirSync(directory).some((name) => name.startsWith('spool.db.unreadable-'))).toBe(true);
    expect(await second.claim(all)).toHaveLength(1);
  });

  it('keeps a row whose bytes rotted from the sinks and reports it', async () => {
    const first = await openSpool();
    await first.append(envelope('a-text-that-can-be-found'));
    await first.append(envelope('sound'));
    await first.close();
    const path = join(directory, 'spool.db');
    const bytes = readFileSync(path);
    bytes.write('b', bytes.indexOf('a-text-that-can-be-found'));
    writeFileSync(path, bytes);
    const rotten: number[] = [];

    const second = await openSpool(2 ** 20, { onRotten: (ids) => rotten.push(...ids) });
    const claimed = await second.claim(all);

    expect(claimed.map(({ items }) => Buffer.from(items).toString())).toEqual(['sound']);
    expect(rotten).toHaveLength(1);
  });

  it('answers nothing after it was closed', async () => {
    const spool = await openSpool();
    await spool.close();

    await expect(spool.append(envelope('late'))).rejects.toMatchObject({ reason: 'closed' });
  });
});
