import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../spool/spool.ts';
import { fates, openSpool, settledCounts } from '../spool/spool.fixture.ts';
import type { Settlement } from '../sink/sink.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { DELIVERED, dispatcherOptions, envelope, LATER, ScriptedSink } from './relay.fixture.ts';
import { Relay } from './relay.ts';

const POISON: Settlement = { ...LATER, reason: 'status_500', scope: 'envelope' };
const BACKOFF = { minMs: 500, maxMs: 60_000 };

describe('envelopes that always fail', () => {
  let directory: string;
  let spool: Spool;
  let relay: Relay;
  let time: ManualTime;
  let sink: ScriptedSink;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-poison-'));
    spool = await openSpool(directory, { maxBytes: 2 ** 24 });
    time = new ManualTime();
    sink = new ScriptedSink();
    sink.answer = (text) => (text.startsWith('poison') ? POISON : DELIVERED);
  });

  afterEach(async () => {
    await relay.stop(1_000);
    await spool.close();
    rmSync(directory, { recursive: true });
  });

  function start(): void {
    const context = { spool, log: createLog('silent'), metrics: new Metrics(), time, random: () => 1 };
    relay = new Relay([dispatcherOptions(sink, { backoff: BACKOFF })], context);
    relay.start();
  }

  async function append(prefix: string, count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) await spool.append(envelope(`${prefix} ${at}`));
  }

  function countOf(text: string): number {
    return sink.seen.filter((seen) => seen.startsWith(`${text} `)).length;
  }

  it.each(['at the first start', 'after a second start'])(
    '30 of them before 10 good ones: the good ones come first, %s',
    async (when) => {
      await append('poison', 30);
      if (when === 'after a second start') {
        start();
        await sink.offered(1);
        await relay.stop(1_000);
        sink.seen.length = 0;
      }
      await append('good', 10);
      start();
      await time.moveUntil(() => countOf('good') === 10);
      const untilGood = sink.seen.slice(0, sink.seen.findLastIndex((one) => one.startsWith('good')) + 1);

      expect(untilGood.filter((one) => one.startsWith('good'))).toHaveLength(10);
      expect(new Set(untilGood).size).toBe(untilGood.length);
      const counts = await settledCounts(spool);
      expect({ ...fates(counts), queued: counts.queued }).toEqual({
        accepted: 40,
        delivered: 10,
        queued: 30,
      });
    },
  );

  it('become dead letters at their 20th try, while others are accepted', async () => {
    await append('poison', 3);
    start();
    for (let round = 1; round <= 20; round += 1) {
      await time.moveUntil(() => countOf('poison') === 3 * round);
      await spool.append(envelope(`good ${round}`));
      await sink.until(() => countOf('good') === round);
    }
    await relay.stop(1_000);

    expect([0, 1, 2].map((at) => countOf(`poison ${at}`))).toEqual([20, 20, 20]);
    const counts = await settledCounts(spool);
    expect({ ...fates(counts), queued: counts.queued }).toMatchObject({ dead_lettered: 3 });
  });

  it('become dead letters at their 20th failure, also if a rate limit holds them now and then', async () => {
    const limited = (): Settlement => ({ outcome: 'held', untilMs: time.wallMs() + 1_000, wasSent: true });
    sink.answer = (text) => {
      if (!text.startsWith('poison')) return DELIVERED;
      return countOf(text) % 2 === 0 ? POISON : limited();
    };
    await append('poison', 1);
    start();
    for (let round = 1; round <= 20; round += 1) {
      await time.moveUntil(() => sink.seen.filter((one) => one.endsWith(' retry')).length === round);
      await spool.append(envelope(`good ${round}`));
      await sink.until(() => countOf('good') === round);
    }
    await relay.stop(1_000);

    const counts = await settledCounts(spool);
    expect({ ...fates(counts), queued: counts.queued }).toMatchObject({ dead_lettered: 1, queued: 0 });
  });

  it('become dead letters at their second refusal, with the status and text of the sink', async () => {
    const refusal = { status: 413, detail: 'too large' };
    const refused: Settlement = { ...LATER, reason: 'status_413', scope: 'refusal', refusal };
    sink.answer = (text) => (text.startsWith('large') ? refused : DELIVERED);
    await append('large', 1);
    start();
    await time.moveUntil(() => countOf('large') === 3);
    await append('good', 1);
    await sink.until(() => countOf('good') === 1);
    await time.moveUntil(() => countOf('large') === 4);
    await relay.stop(1_000);
    await spool.flush();

    const letters = await spool.ask('deadLetters', null, 10);
    expect(letters).toMatchObject([{ reason: 'send_error', status: 413, detail: 'too large' }]);
  });

  it('wait on the disk for the sink to accept them, and all follow the first accepted one at once', async () => {
    await append('poison', 8);
    start();
    await time.moveUntil(() => [0, 1, 2, 3, 4, 5, 6, 7].every((at) => countOf(`poison ${at}`) >= 2));
    sink.answer = () => DELIVERED;
    const delivered = () => sink.seen.filter((one) => one.endsWith('delivered')).length;
    await time.moveUntil(() => delivered() > 0);
    await sink.until(() => delivered() === 8);
    await relay.stop(1_000);

    const counts = await settledCounts(spool);
    expect({ ...fates(counts), queued: counts.queued }).toEqual({ accepted: 8, delivered: 8, queued: 0 });
  });
});
