import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../spool/spool.ts';
import { openSpool } from '../spool/spool.fixture.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { Relay } from './relay.ts';
import { DELIVERED, envelope, dispatcherOptions, LATER, ScriptedSink } from './relay.fixture.ts';

describe('the reports of the relay for operators', () => {
  let directory: string;
  let spool: Spool;
  let relay: Relay | undefined;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-reports-'));
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

  const REJECTED = Array.from(
    { length: 5 },
    () => ({ ...LATER, reason: 'status_403', status: 403, scope: 'dsn' }) as const,
  );

  it.each([
    ['fails', LATER],
    ['holds one for a rate limit', { outcome: 'held', untilMs: Date.now() + 3_600_000, wasSent: true }],
  ] as const)('says that the spool does not become empty by itself while a sink %s', async (_, answer) => {
    const away = new ScriptedSink();
    away.answer = () => answer;
    start(
      dispatcherOptions(new ScriptedSink(), { bit: STORE_BIT }),
      dispatcherOptions(away, { backoff: { minMs: 60_000, maxMs: 60_000 } }),
    );
    const before = relay?.canEmpty;
    await spool.append(envelope('one'));
    await away.offered(1);
    await relay?.stop(1_000);

    expect([before, relay?.canEmpty]).toEqual([true, false]);
  });

  it('says of a project whether its own sinks accept envelopes', async () => {
    const away = new ScriptedSink();
    away.answer = () => LATER;
    const [own, other] = ['https://key@a.example/1', 'https://key@b.example/2'];
    start(
      dispatcherOptions(new ScriptedSink(), { bit: STORE_BIT }),
      dispatcherOptions(away, { project: own, backoff: { minMs: 60_000, maxMs: 60_000 } }),
    );
    const before = relay?.isFlowing(own);
    await spool.append(envelope('one', { project: own }));
    await away.offered(1);
    await relay?.stop(1_000);

    expect([before, relay?.isFlowing(own), relay?.isFlowing(other)]).toEqual([true, false, true]);
  });

  it.each([
    ['bbgbbg', 'nothing'],
    ['bbgbbbg', 'envelope'],
  ])('says of a sink that got %s, b for a failure: %s fails', async (sent, fails) => {
    const sink = new ScriptedSink();
    sink.answer = (text) =>
      text.startsWith('b') ? { ...LATER, reason: 'envelope', scope: 'envelope' } : DELIVERED;
    start(dispatcherOptions(sink, { backoff: { minMs: 60_000, maxMs: 60_000 } }));
    for (const [at, one] of [...sent].entries()) {
      await spool.append(envelope(`${one} ${at}`));
      await sink.offered(at + 1);
    }
    await relay?.stop(1_000);

    const { state, reason, sinceMs } = relay?.sinks()[0] ?? {};
    expect([state, reason ?? 'nothing', sinceMs !== undefined]).toEqual([
      'flowing',
      fails,
      fails !== 'nothing',
    ]);
  });

  it('reports the time of the last delivery, and no reason after a recovery', async () => {
    const sink = new ScriptedSink([LATER]);
    await spool.append(envelope('one'));
    start(dispatcherOptions(sink, { name: 'upstream a' }));
    await sink.offered(2);
    await relay?.stop(1_000);

    expect(relay?.sinks()).toEqual([
      {
        name: 'upstream a',
        place: null,
        key: null,
        project: null,
        state: 'flowing',
        reason: null,
        lastDeliveredMs: expect.any(Number),
        isWaiting: false,
        isLimited: false,
      },
    ]);
  });

  it('reports why a sink accepts nothing: the last failure, or a rejected DSN', async () => {
    const away = new ScriptedSink([LATER]);
    const refusing = new ScriptedSink([...REJECTED]);
    await spool.append(envelope('one', { pending: UPSTREAM_BIT | STORE_BIT }));
    start(
      dispatcherOptions(away, { name: 'away', bit: STORE_BIT, backoff: { minMs: 60_000, maxMs: 60_000 } }),
      dispatcherOptions(refusing, { name: 'refusing', pauseProbeMs: 60_000 }),
    );
    await Promise.all([away.offered(1), refusing.offered(5)]);
    await relay?.stop(1_000);

    expect(relay?.sinks()).toMatchObject([
      { name: 'away', state: 'failing', reason: 'down', lastDeliveredMs: null, isWaiting: true },
      { name: 'refusing', state: 'paused', reason: 'dsn_rejected', isWaiting: true },
    ]);
  });

  it('reports the next attempt, and the rejections of a DSN with their status', async () => {
    const startedAtMs = Date.now();
    const refusing = new ScriptedSink([...REJECTED]);
    await spool.append(envelope('one'));
    start(dispatcherOptions(refusing, { name: 'refusing', pauseProbeMs: 60_000 }));
    await refusing.offered(5);
    await relay?.stop(1_000);
    const [report] = relay?.sinks() ?? [];

    expect(report?.rejections).toEqual({ times: 5, status: 403 });
    expect(report?.nextAttemptMs).toBeGreaterThanOrEqual(startedAtMs + 60_000);
  });

  it('reports the status of the last rejection of a DSN, although a probe failed in another way since', async () => {
    const sink = new ScriptedSink([...REJECTED, LATER]);
    await spool.append(envelope('one'));
    start(dispatcherOptions(sink, { pauseProbeMs: 1 }));
    await sink.offered(6);
    await relay?.stop(1_000);

    expect(relay?.sinks()).toMatchObject([{ state: 'paused', rejections: { status: 403 } }]);
  });
});
