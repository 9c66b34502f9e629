import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../spool/spool.ts';
import { fates, openSpool, settledCounts } from '../spool/spool.fixture.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { DELIVERED, dispatcherOptions, envelope, LATER, ScriptedSink } from './relay.fixture.ts';
import { Relay } from './relay.ts';

describe('the dispatcher of a sink, by a clock that the test moves', () => {
  let directory: string;
  let spool: Spool;
  let relay: Relay;
  let time: ManualTime;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-dispatcher-'));
    spool = await openSpool(directory, { maxBytes: 2 ** 24 });
    time = new ManualTime();
  });

  afterEach(async () => {
    await relay.stop(1_000);
    await spool.close();
    rmSync(directory, { recursive: true });
  });

  function start(options: DispatcherOptions): void {
    relay = new Relay([options], { spool, log: createLog('silent'), metrics: new Metrics(), time });
    relay.start();
  }

  it('lets other envelopes overtake one under a rate limit, and sends that one when the limit ends', async () => {
    const sink = new ScriptedSink([{ outcome: 'held', untilMs: 60_000, wasSent: true }]);
    await spool.append(envelope('limited'));
    await spool.append(envelope('other'));
    start(dispatcherOptions(sink));
    await sink.offered(2);
    const endedAtMs = await time.toNextTimer();
    await sink.offered(3);
    await relay.stop(1_000);

    expect(endedAtMs).toBe(60_001);
    expect(sink.seen).toEqual(['limited held', 'other delivered', 'limited delivered']);
    const counts = await settledCounts(spool);
    expect({ ...fates(counts), held: counts.held }).toMatchObject({ delivered: 2, held: 0 });
  });

  it('sends each held envelope when its own limit ends', async () => {
    const ends: Readonly<Record<string, number>> = { long: 3_600_000, short: 60_000 };
    const sink = new ScriptedSink();
    sink.answer = (text) => {
      const untilMs = ends[text] ?? 0;
      return time.wallMs() < untilMs ? { outcome: 'held', untilMs, wasSent: time.wallMs() === 0 } : DELIVERED;
    };
    await spool.append(envelope('long'));
    await spool.append(envelope('short'));
    start(dispatcherOptions(sink));
    await sink.offered(2);
    await time.toNextTimer();
    await sink.offered(4);
    await time.toNextTimer();
    await sink.offered(5);

    expect(sink.seen).toEqual(['long held', 'short held', 'long held', 'short delivered', 'long delivered']);
  });

  it('sends the backlog of an outage at a limited rate, and fresh envelopes at once', async () => {
    const sink = new ScriptedSink([LATER]);
    for (let at = 0; at < 20; at += 1) await spool.append(envelope(`backlog ${at}`));
    start(dispatcherOptions(sink, { maxRate: 1_000, outageAfterMs: 0 }));
    const probedAtMs = await time.toNextTimer();
    await sink.offered(3);
    await spool.append(envelope('now'));
    await sink.offered(4);
    const nextAtMs = await time.toNextTimer();
    await sink.offered(5);

    expect(sink.seen[3]).toBe('now delivered');
    expect(sink.seen).toHaveLength(5);
    expect(nextAtMs - probedAtMs).toBe(1_001);
  });
});
