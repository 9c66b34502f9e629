import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool } from '../spool/spool.ts';
import {
  type NewEnvelope,
  type SpooledEnvelope,
  STORE_BIT,
  UPSTREAM_BIT,
} from '../spool/spooled-envelope.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { LaneOptions } from './lane.ts';
import { Pace } from './pace.ts';
import { Relay } from './relay.ts';
import { type Settlement, Sink } from './sink.ts';

const PROJECT = 'https://key@errata.invalid/1';
const DELIVERED: Settlement = { outcome: 'delivered' };
const LATER: Settlement = { outcome: 'retry', reason: 'down', retryAfterMs: null };

/** Takes envelopes as its script says, then delivers; tells when it has seen enough. */
class ScriptedSink extends Sink {
  readonly maxBatch: number;
  readonly seen: string[] = [];
  #script: Settlement[];
  #waiting: { count: number; resolve: () => void }[] = [];

  constructor(script: Settlement[] = [], maxBatch = 1) {
    super();
    this.#script = script;
    this.maxBatch = maxBatch;
  }

  override deliver(batch: readonly SpooledEnvelope[]): Promise<readonly Settlement[]> {
    const settlements = batch.map(({ items }) => {
      const settlement = this.#script.shift() ?? DELIVERED;
      this.seen.push(`${Buffer.from(items).toString()} ${settlement.outcome}`);
      return settlement;
    });
    for (const { count, resolve } of this.#waiting) if (this.seen.length >= count) resolve();
    return Promise.resolve(settlements);
  }

  /** Resolves once `count` envelopes were offered. */
  offered(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.seen.length >= count) resolve();
      else this.#waiting.push({ count, resolve });
    });
  }
}

function envelope(text: string, changes: Partial<NewEnvelope> = {}): NewEnvelope {
  return {
    project: PROJECT,
    source: 'tunnel',
    class: 0,
    receivedAtMs: Date.now(),
    eventId: null,
    sender: { address: null, userAgent: null, origin: null, referer: null, clientHints: {} },
    header: Buffer.from('{}'),
    items: Buffer.from(text),
    pending: UPSTREAM_BIT,
    ...changes,
  };
}

function lane(sink: Sink, changes: Partial<LaneOptions> = {}): LaneOptions {
  return {
    name: 'test',
    sink,
    bit: UPSTREAM_BIT,
    project: null,
    concurrency: 1,
    maxAgeMs: 60_000,
    backoff: { minMs: 1, maxMs: 2 },
    ...changes,
  };
}

describe('Relay', () => {
  let directory: string;
  let spool: Spool;
  let relay: Relay | undefined;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-relay-'));
    spool = await Spool.open(
      { directory, limits: { maxBytes: 2 ** 20 } },
      { onLost: () => {}, onRotten: () => {}, onThreadDeath: () => {} },
    );
  });

  afterEach(async () => {
    await relay?.stop();
    await spool.close();
    rmSync(directory, { recursive: true });
  });

  function start(...lanes: readonly LaneOptions[]): void {
    relay = new Relay(lanes, {
      spool,
      pace: new Pace(() => 0),
      log: createLog('silent'),
      metrics: new Metrics(),
    });
    relay.start();
  }

  /** The ledger, once every settlement so far is on disk. */
  async function ledger(): Promise<Readonly<Record<string, number>>> {
    await relay?.stop();
    await spool.append(envelope('to flush', { pending: 0 }));
    const { held, ledger: counts } = await spool.counts();
    return { ...counts, held };
  }

  it('delivers what lay in the spool before it started and what comes later, oldest first', async () => {
    const sink = new ScriptedSink();
    await spool.append(envelope('before'));
    start(lane(sink));
    await sink.offered(1);
    await spool.append(envelope('after'));
    await sink.offered(2);

    expect(sink.seen).toEqual(['before delivered', 'after delivered']);
    expect(await ledger()).toMatchObject({ delivered: 2 });
  });

  it('offers again what a sink could not take, before anything newer', async () => {
    const sink = new ScriptedSink([LATER, LATER]);
    await spool.append(envelope('one'));
    await spool.append(envelope('two'));
    start(lane(sink));
    await sink.offered(4);

    expect(sink.seen).toEqual(['one retry', 'one retry', 'one delivered', 'two delivered']);
  });

  it('probes with one envelope after a failure, however many may be under way', async () => {
    const sink = new ScriptedSink([LATER, LATER, LATER, LATER], 4);
    for (const text of ['a', 'b', 'c', 'd', 'e']) await spool.append(envelope(text));
    start(lane(sink));
    await sink.offered(9);

    expect(sink.seen.slice(4, 5)).toEqual(['a delivered']);
    expect(sink.seen.slice(5).sort()).toEqual(['b delivered', 'c delivered', 'd delivered', 'e delivered']);
  });

  it('keeps an envelope until each of its sinks is done, and lets neither wait for the other', async () => {
    const slow = new ScriptedSink(Array.from({ length: 3 }, () => LATER));
    const quick = new ScriptedSink();
    await spool.append(envelope('both', { pending: UPSTREAM_BIT | STORE_BIT }));
    start(lane(slow), lane(quick, { name: 'store', bit: STORE_BIT }));
    await quick.offered(1);
    await slow.offered(4);

    expect(quick.seen).toEqual(['both delivered']);
    expect(slow.seen.at(-1)).toBe('both delivered');
    expect(await ledger()).toMatchObject({ delivered: 1 });
  });

  it('goes on after a restart where it was not done', async () => {
    const down = new ScriptedSink(Array.from({ length: 1_000 }, () => LATER));
    await spool.append(envelope('kept'));
    start(lane(down));
    await down.offered(2);
    await relay?.stop();
    const up = new ScriptedSink();
    start(lane(up));
    await up.offered(1);

    expect(up.seen).toEqual(['kept delivered']);
  });

  it('counts what a sink refuses for good as a dead letter', async () => {
    const sink = new ScriptedSink([{ outcome: 'refused', reason: 'status_413', status: 413 }]);
    await spool.append(envelope('too large'));
    await spool.append(envelope('fine'));
    start(lane(sink));
    await sink.offered(2);

    expect(await ledger()).toMatchObject({ dead_lettered: 1, delivered: 1 });
  });

  it('lets what is too old expire without offering it', async () => {
    const sink = new ScriptedSink();
    await spool.append(envelope('old', { receivedAtMs: Date.now() - 61_000 }));
    await spool.append(envelope('new'));
    start(lane(sink));
    await sink.offered(1);

    expect(sink.seen).toEqual(['new delivered']);
    expect(await ledger()).toMatchObject({ expired: 1, delivered: 1 });
  });

  it('gives each project its own lane', async () => {
    const one = new ScriptedSink();
    const other = new ScriptedSink();
    await spool.append(envelope('for one', { project: 'one' }));
    await spool.append(envelope('for other', { project: 'other' }));
    start(lane(one, { project: 'one' }), lane(other, { name: 'other', project: 'other' }));
    await one.offered(1);
    await other.offered(1);

    expect([one.seen, other.seen]).toEqual([['for one delivered'], ['for other delivered']]);
  });
});
