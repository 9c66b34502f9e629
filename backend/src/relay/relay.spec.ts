import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../spool/spool.ts';
import { fates, openSpool, settledCounts } from '../spool/spool.fixture.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { HOUR_MS } from '../time/iso.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { Relay } from './relay.ts';
import { DELIVERED, envelope, dispatcherOptions, LATER, REFUSED, ScriptedSink } from './relay.fixture.ts';

describe('Relay', () => {
  let directory: string;
  let spool: Spool;
  let relay: Relay | undefined;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-relay-'));
    spool = await openSpool(directory, { maxBytes: 2 ** 24 });
  });

  afterEach(async () => {
    await relay?.stop(1_000);
    await spool.close();
    rmSync(directory, { recursive: true });
  });

  function start(...sinks: readonly DispatcherOptions[]): void {
    relay = new Relay(sinks, { spool, log: createLog('silent'), metrics: new Metrics() });
    relay.start();
  }

  /** Returns the counts by fate and of queued envelopes after all settlements so far are on the disk. */
  async function ledger(): Promise<Readonly<Record<string, number>>> {
    await relay?.stop(1_000);
    const counts = await settledCounts(spool);
    return { ...fates(counts), queued: counts.queued };
  }

  it('delivers envelopes from before its start and later ones, oldest first', async () => {
    const sink = new ScriptedSink();
    await spool.append(envelope('before'));
    start(dispatcherOptions(sink));
    await sink.offered(1);
    await spool.append(envelope('after'));
    await sink.offered(2);

    expect(sink.seen).toEqual(['before delivered', 'after delivered']);
    expect(await ledger()).toMatchObject({ delivered: 2 });
  });

  it('repeats a delivery that the sink could not accept', async () => {
    const sink = new ScriptedSink([LATER, LATER]);
    await spool.append(envelope('one'));
    await spool.append(envelope('two'));
    start(dispatcherOptions(sink));
    await sink.offered(4);

    expect(sink.seen.slice(0, 2).every((seen) => seen.endsWith('retry'))).toBe(true);
    expect(sink.seen.slice(2).sort()).toEqual(['one delivered', 'two delivered']);
  });

  it.each([
    ['the one that failed', ['one']],
    ['those behind it', ['one', 'three', 'two']],
  ])('catches up without a pause: tries a failing sink once more, and sends %s', async (_, texts) => {
    const sink = new ScriptedSink([LATER]);
    for (const text of texts) await spool.append(envelope(text));
    start(dispatcherOptions(sink, { backoff: { minMs: HOUR_MS, maxMs: HOUR_MS } }));

    await relay?.caughtUp();
    const failed = [...sink.seen];
    await relay?.caughtUp();

    expect(failed).toEqual(['one retry']);
    expect(sink.seen.slice(1).sort()).toEqual(texts.map((text) => `${text} delivered`));
  });

  it('sends envelopes that arrive between two batches together, and a single envelope at once', async () => {
    const sink = new ScriptedSink([], 4);
    start(dispatcherOptions(sink, { batchIntervalMs: 60_000 }));
    await spool.append(envelope('alone'));
    await sink.offered(1);
    for (const text of ['a', 'b', 'c', 'd']) await spool.append(envelope(text));
    await sink.offered(5);

    expect(sink.batches).toEqual([1, 4]);
  });

  it('has no batch of a backlog wait to become larger', async () => {
    const sink = new ScriptedSink([], 4);
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) await spool.append(envelope(text));
    start(dispatcherOptions(sink, { batchIntervalMs: 60_000 }));
    await sink.offered(6);

    expect(sink.batches).toEqual([4, 2]);
  });

  it('probes with one envelope after a failure, for any number of envelopes in flight', async () => {
    const sink = new ScriptedSink([LATER, LATER, LATER, LATER], 4);
    for (const text of ['a', 'b', 'c', 'd', 'e']) await spool.append(envelope(text));
    start(dispatcherOptions(sink));
    await sink.offered(9);

    expect(sink.seen.slice(4).sort()).toEqual([
      'a delivered',
      'b delivered',
      'c delivered',
      'd delivered',
      'e delivered',
    ]);
  });

  it('keeps an envelope until each of its sinks has settled it, and no sink waits for another', async () => {
    const slow = new ScriptedSink(Array.from({ length: 3 }, () => LATER));
    const quick = new ScriptedSink();
    await spool.append(envelope('both', { pending: UPSTREAM_BIT | STORE_BIT }));
    start(dispatcherOptions(slow), dispatcherOptions(quick, { name: 'store', bit: STORE_BIT }));
    await quick.offered(1);
    await slow.offered(4);

    expect(quick.seen).toEqual(['both delivered']);
    expect(slow.seen.at(-1)).toBe('both delivered');
    expect(await ledger()).toMatchObject({ delivered: 1 });
  });

  it('resumes after a restart', async () => {
    const down = new ScriptedSink(Array.from({ length: 1_000 }, () => LATER));
    await spool.append(envelope('kept'));
    start(dispatcherOptions(down));
    await down.offered(2);
    await relay?.stop(1_000);
    const up = new ScriptedSink();
    start(dispatcherOptions(up));
    await up.offered(1);

    expect(up.seen).toEqual(['kept delivered']);
  });

  it('counts an envelope that its sink refuses as a dead letter', async () => {
    const sink = new ScriptedSink([REFUSED]);
    await spool.append(envelope('too large'));
    await spool.append(envelope('fine'));
    start(dispatcherOptions(sink));
    await sink.offered(2);

    expect(await ledger()).toMatchObject({ dead_lettered: 1, delivered: 1 });
  });

  it('drops a refused client report of its own, which is no loss of an application', async () => {
    const sink = new ScriptedSink([REFUSED, REFUSED]);
    await spool.append(envelope('{"type":"client_report"}\n{}', { source: 'own' }));
    await spool.append(envelope('{"type":"client_report"}\n{"n":2}', { source: 'tunnel' }));
    start(dispatcherOptions(sink));
    await sink.offered(2);

    expect(await ledger()).toEqual({ accepted: 2, dropped: 1, dead_lettered: 1, queued: 0 });
  });

  it('keeps the bytes of a refused envelope with the reason, and can send them again', async () => {
    const sink = new ScriptedSink([REFUSED]);
    await spool.append(envelope('too large'));
    start(dispatcherOptions(sink));
    await sink.offered(1);
    await spool.flush();
    const letters = await spool.ask('deadLetters', null, 10);
    const opened = await spool.ask('deadLetter', letters[0]?.id ?? 0);
    await spool.redrive(letters.map(({ id }) => id));
    await sink.offered(2);

    expect(letters).toMatchObject([
      { reason: 'send_error', status: 413, detail: 'too large', canRedrive: true },
    ]);
    expect(Buffer.from(opened?.bytes ?? []).toString()).toBe('{}\ntoo large');
    expect(sink.seen.at(-1)).toBe('too large delivered');
    expect(await ledger()).toEqual({ accepted: 2, delivered: 1, dead_lettered: 1, queued: 0 });
  });

  it('lets other envelopes overtake one that always makes its sink fail', async () => {
    const sink = new ScriptedSink();
    sink.answer = (text) => (text === 'poison' ? LATER : DELIVERED);
    await spool.append(envelope('poison'));
    start(dispatcherOptions(sink));
    await sink.offered(1);
    for (let at = 0; at < 10; at += 1) await spool.append(envelope(`good ${at}`));
    await sink.until((seen) => seen.filter((text) => text.endsWith('delivered')).length === 10);

    expect(sink.seen.filter((text) => text.startsWith('good'))).toHaveLength(10);
  });

  it('reads envelopes that do not fit into memory from the disk, each once', async () => {
    const sink = new ScriptedSink();
    const many = Array.from({ length: 3_000 }, (_, at) => `number ${at}`);
    await Promise.all(many.map((text) => spool.append(envelope(text, { class: 0 }))));
    start(dispatcherOptions(sink, { concurrency: 4 }));
    await sink.offered(many.length);

    expect(sink.seen.toSorted()).toEqual(many.map((text) => `${text} delivered`).toSorted());
    expect(await ledger()).toEqual({ accepted: 3_000, delivered: 3_000, queued: 0 });
  });

  it('gives each project its own dispatcher', async () => {
    const one = new ScriptedSink();
    const other = new ScriptedSink();
    await spool.append(envelope('for one', { project: 'one' }));
    await spool.append(envelope('for other', { project: 'other' }));
    start(
      dispatcherOptions(one, { project: 'one' }),
      dispatcherOptions(other, { name: 'other', project: 'other' }),
    );
    await one.offered(1);
    await other.offered(1);

    expect([one.seen, other.seen]).toEqual([['for one delivered'], ['for other delivered']]);
  });
});
