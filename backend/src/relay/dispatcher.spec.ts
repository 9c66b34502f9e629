import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../spool/spool.ts';
import { fates, openSpool, settledCounts } from '../spool/spool.fixture.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import type { Settlement } from '../sink/sink.ts';
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

  function start(options: DispatcherOptions, log = createLog('silent')): void {
    relay = new Relay([options], { spool, log, metrics: new Metrics(), time });
    relay.start();
  }

  it('names in the log why the sink fails, and where a redirect leads', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => void lines.push(line) });
    const sink = new ScriptedSink([
      { ...LATER, reason: 'status_301', location: 'https://sentry.example/api/1/envelope/' },
    ]);
    await spool.append(envelope('moved'));
    start(dispatcherOptions(sink), log);
    await sink.offered(1);
    await time.toNextTimer();
    await sink.offered(2);

    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { msg: 'sink_failing', reason: 'status_301', location: 'https://sentry.example/api/1/envelope/' },
    ]);
  });

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
    expect({ ...fates(counts), queued: counts.queued }).toMatchObject({ delivered: 2, queued: 0 });
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

    expect(sink.seen).toEqual(['long held', 'short held', 'short delivered', 'long held', 'long delivered']);
  });

  it('sends one held envelope when a limit ends, and the others once that one was accepted', async () => {
    const sink = new ScriptedSink();
    let isLimited = true;
    sink.answer = () =>
      isLimited ? { outcome: 'held', untilMs: time.wallMs() + 60_000, wasSent: true } : DELIVERED;
    for (let at = 0; at < 5; at += 1) await spool.append(envelope(`held ${at}`));
    start(dispatcherOptions(sink, { concurrency: 8 }));
    await sink.offered(5);
    for (let tries = 6; tries <= 8; tries += 1) await time.moveUntil(() => sink.seen.length >= tries);
    isLimited = false;
    await time.moveUntil(() => sink.seen.length >= 13);

    expect(sink.seen.slice(5, 8)).toEqual(['held 0 held', 'held 0 held', 'held 0 held']);
    expect(sink.seen.slice(8).toSorted()).toEqual([0, 1, 2, 3, 4].map((at) => `held ${at} delivered`));
  });

  it('tries a paused sink at once when it is asked to, with one envelope, and pauses it again if that fails', async () => {
    const sink = new ScriptedSink();
    let answer: Settlement = { ...LATER, scope: 'dsn' };
    sink.answer = () => answer;
    for (const text of ['one', 'two']) await spool.append(envelope(text));
    start(dispatcherOptions(sink, { concurrency: 8, pauseProbeMs: 300_000 }));
    await time.moveUntil(() => relay.sinks()[0]?.state === 'paused');
    const [pausedAtMs, before] = [time.nowMs(), sink.seen.length];

    const retried = [relay.retryNow(), relay.retryNow()];
    await time.moveUntil(() => sink.seen.length > before && relay.sinks()[0]?.nextAttemptMs !== undefined);
    const probedAtMs = time.nowMs();
    const [report] = relay.sinks();
    answer = DELIVERED;
    relay.retryNow();
    await time.moveUntil(() => !relay.sinks()[0]?.isWaiting);

    expect(retried).toEqual([1, 1]);
    expect(report).toMatchObject({ state: 'paused', nextAttemptMs: probedAtMs + 300_000 });
    expect(time.nowMs() - pausedAtMs).toBeLessThan(1_000);
    expect(sink.seen.slice(before).map((seen) => seen.split(' ')[1])).toEqual([
      'retry',
      'delivered',
      'delivered',
    ]);
    expect(relay.retryNow()).toBe(0);
  });

  it('does not try a sink with a rate limit when it is asked to', async () => {
    const sink = new ScriptedSink([{ outcome: 'held', untilMs: 60_000, wasSent: true }]);
    await spool.append(envelope('limited'));
    start(dispatcherOptions(sink));
    await sink.offered(1);

    const retried = relay.retryNow();
    await time.toNextTimer();
    await sink.offered(2);

    expect(retried).toBe(0);
    expect(time.nowMs()).toBeGreaterThan(60_000);
  });

  it('has as many envelopes in flight to a distant upstream as its latency needs, at most its cap', async () => {
    let open = 0;
    let most = 0;
    const sink = new ScriptedSink();
    const distant = {
      maxBatch: 1,
      deliver: async (batch: Parameters<typeof sink.deliver>[0]) => {
        most = Math.max(most, (open += 1));
        await new Promise<void>((resolve) => void time.startTimer(100, resolve));
        open -= 1;
        return sink.deliver(batch);
      },
    };
    for (let at = 0; at < 200; at += 1) await spool.append(envelope(`event ${at}`));
    start(dispatcherOptions(distant, { concurrency: 40, isAdaptive: true }));
    await time.moveUntil(() => sink.seen.length >= 200);

    expect(new Set(sink.seen).size).toBe(200);
    expect(most).toBeGreaterThan(16);
    expect(most).toBeLessThanOrEqual(40);
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

  it.each([
    ['older than an outage', 60_000, [1, 2, 4]],
    ['younger', 1_000, [20]],
  ])(
    'sends a backlog of the process before it that is %s at the rate of a drain',
    async (_, ageMs, perSecond) => {
      const sink = new ScriptedSink();
      for (let at = 0; at < 20; at += 1) await spool.append(envelope(`old ${at}`, { receivedAtMs: -ageMs }));
      start(dispatcherOptions(sink, { maxRate: 1_000, outageAfterMs: 10_000 }));

      const counts: number[] = [];
      for (const count of perSecond) {
        const before = sink.seen.length;
        await time.moveUntil(() => sink.seen.length >= before + count);
        counts.push(Math.floor(time.nowMs() / 1_000));
      }

      expect(counts).toEqual(perSecond.map((_count, second) => second));
    },
  );

  it('sends the backlog of an outage more slowly after a failure', async () => {
    const sink = new ScriptedSink();
    for (let at = 0; at < 40; at += 1) await spool.append(envelope(`old ${at}`, { receivedAtMs: -60_000 }));
    start(dispatcherOptions(sink, { maxRate: 1_000, outageAfterMs: 10_000 }));
    const sentUntil = async (count: number): Promise<number> => {
      await time.moveUntil(() => sink.seen.length >= count);
      return time.nowMs();
    };
    const fourth = await sentUntil(8);
    sink.answer = () => ({ outcome: 'held', untilMs: 3_600_000, wasSent: true });
    await sentUntil(9);
    sink.answer = () => DELIVERED;
    const [before, after] = [await sentUntil(10), await sentUntil(11)];

    expect(Math.floor(fourth / 1_000)).toBe(3);
    expect(after - before).toBeGreaterThanOrEqual(250);
  });

  it('probes a sink with an envelope that no limit holds, however many newer ones a limit holds', async () => {
    const sink = new ScriptedSink([LATER]);
    sink.answer = (text) =>
      text.startsWith('limited') ? { outcome: 'held', untilMs: 3_600_000, wasSent: false } : DELIVERED;
    await spool.append(envelope('first'));
    start(dispatcherOptions(sink, { backoff: { minMs: 500, maxMs: 1_000 } }));
    await sink.offered(1);
    for (const text of ['good', 'limited 1', 'limited 2', 'limited 3']) await spool.append(envelope(text));
    await time.toNextTimer();
    await sink.until((seen) => seen.includes('good delivered'));

    expect(sink.seen.slice(0, 5)).toEqual([
      'first retry',
      'limited 3 held',
      'limited 2 held',
      'limited 1 held',
      'good delivered',
    ]);
  });

  it('probes a sink with the newest error, and without one with the newest of the next class', async () => {
    const sink = new ScriptedSink([LATER]);
    await spool.append(envelope('first', { class: 4 }));
    start(dispatcherOptions(sink, { backoff: { minMs: 500, maxMs: 1_000 } }));
    await sink.offered(1);
    sink.answer = () => ({ ...LATER, scope: 'envelope' });
    const classes = [1, 0, 0, 4, 1, 4] as const;
    for (const [at, one] of classes.entries())
      await spool.append(envelope(`${at} of ${one}`, { class: one }));
    for (let tries = 2; tries <= 7; tries += 1) await time.moveUntil(() => sink.seen.length >= tries);

    const probes = sink.seen.slice(1).map((text) => text.replace(' retry', ''));
    expect(probes).toEqual(['2 of 0', '1 of 0', '4 of 1', '0 of 1', '5 of 4', '3 of 4']);
  });

  it('tries failed envelopes again at the rate of a backlog', async () => {
    const sink = new ScriptedSink();
    const triedAtMs: number[] = [];
    sink.answer = () => {
      triedAtMs.push(time.nowMs());
      return { ...LATER, scope: 'envelope' };
    };
    for (let at = 0; at < 4; at += 1) await spool.append(envelope(`bad ${at}`));
    start(dispatcherOptions(sink, { maxRate: 10, outageAfterMs: 3_600_000 }));
    await time.moveUntil(() => triedAtMs.length >= 12);

    const again = triedAtMs.slice(4);
    expect(
      Math.min(...again.slice(1).map((atMs, index) => atMs - (again[index] ?? 0))),
    ).toBeGreaterThanOrEqual(100);
  });
});
