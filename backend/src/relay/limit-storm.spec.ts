import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDsn } from '../envelope/dsn.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { type Settlement, Sink } from '../sink/sink.ts';
import type { Spool } from '../spool/spool.ts';
import { openSpool } from '../spool/spool.fixture.ts';
import { UpstreamRateLimits } from '../spool/upstream-rate-limits.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { dispatcherOptions, envelope, WITHOUT_LIMITS } from './relay.fixture.ts';
import { Relay } from './relay.ts';
import { Upstream } from './upstream.ts';

const BACKOFF = { minMs: 500, maxMs: 60_000 };
const MINUTE_MS = 60_000;

/** Passes deliveries on and knows how many are under way. */
class WatchedSink extends Sink {
  override readonly maxBatch = 1;
  underWay = 0;
  readonly #sink: Sink;

  constructor(sink: Sink) {
    super();
    this.#sink = sink;
  }

  override async deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    this.underWay += 1;
    const settlements = await this.#sink.deliver(batch);
    this.underWay -= 1;
    return settlements;
  }
}

describe('an upstream that answers each error with 429 and zero seconds', () => {
  let directory: string;
  let spool: Spool;
  let server: Server;
  let upstream: Upstream;
  let relay: Relay;
  let time: ManualTime;
  let sink: WatchedSink;
  /** Type and status of each request, in order. */
  let asked: string[];
  let isLimited: boolean;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-limits-'));
    spool = await openSpool(directory, { maxBytes: 2 ** 24 });
    time = new ManualTime();
    asked = [];
    isLimited = true;
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const type = /"type":"(\w+)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
        const status = type === 'event' && isLimited ? 429 : 200;
        asked.push(`${type} ${status}`);
        response.writeHead(status, status === 429 ? { 'x-sentry-rate-limits': '0:error:key' } : {}).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const dsn = parseDsn(`http://publickey@127.0.0.1:${(server.address() as AddressInfo).port}/7`);
    if (dsn === undefined) throw new Error('no dsn');
    const limits = new UpstreamRateLimits(time.wallMs);
    upstream = new Upstream(
      {
        dsn,
        project: 'the project',
        client: 'errata/1',
        backoff: BACKOFF,
        connections: 4,
        ...WITHOUT_LIMITS,
      },
      { rateLimits: limits, saveRateLimits: limits.add.bind(limits) },
      { now: () => ({ wallMs: 0, monotonicMs: 0 }), limitMs: time.wallMs, random: () => 1 },
    );
    sink = new WatchedSink(upstream);
    const context = { spool, log: createLog('silent'), metrics: new Metrics(), time, random: () => 1 };
    relay = new Relay([dispatcherOptions(sink, { backoff: BACKOFF, concurrency: 4 })], context);
    relay.start();
  });

  afterEach(async () => {
    await relay.stop(1_000);
    await upstream.close();
    await spool.close();
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true });
  });

  async function append(type: string, count: number): Promise<void> {
    for (let at = 0; at < count; at += 1)
      await spool.append(envelope(`{"type":"${type}"}\n{"number":${at}}`));
  }

  function countOf(request: string): number {
    return asked.filter((one) => one === request).length;
  }

  /** Moves the clock, but not while a request is under way, until a condition holds. */
  async function moveUntil(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await time.moveUntil(() => sink.underWay > 0 || condition());
      while (sink.underWay > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('is asked 12 times in a minute at most, gets other data at once, and all errors in the end', async () => {
    await append('event', 8);
    await moveUntil(() => time.nowMs() > MINUTE_MS);
    const inMinute = countOf('event 429');
    await append('session', 3);
    while (countOf('session 200') < 3) await new Promise((resolve) => setImmediate(resolve));
    isLimited = false;
    await moveUntil(() => countOf('event 200') === 8);

    expect(inMinute).toBeLessThanOrEqual(12);
    expect(asked.slice(-11).toSorted()).toEqual([
      ...Array.from({ length: 8 }, () => 'event 200'),
      ...Array.from({ length: 3 }, () => 'session 200'),
    ]);
  });
});
