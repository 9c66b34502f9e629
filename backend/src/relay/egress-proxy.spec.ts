import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDsn } from '../envelope/dsn.ts';
import { Proxy } from '../net/proxy.fixture.ts';
import { fates, openSpool, settledCounts } from '../spool/spool.fixture.ts';
import type { Spool } from '../spool/spool.ts';
import { UpstreamRateLimits } from '../spool/upstream-rate-limits.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { dispatcherOptions, envelope, WITHOUT_LIMITS } from './relay.fixture.ts';
import { Relay } from './relay.ts';
import { Upstream } from './upstream.ts';

const TEXTS = ['one', 'two', 'three', 'four', 'five', 'six'];

describe('an upstream behind a proxy', () => {
  let directory: string;
  let spool: Spool;
  let server: Server;
  let proxy: Proxy;
  let upstream: Upstream;
  let relay: Relay;
  let metrics: Metrics;
  let arrived: string[];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-egress-'));
    spool = await openSpool(directory, { maxBytes: 2 ** 24 });
    arrived = [];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        arrived.push(/"text":"(\w+)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? '');
        server.emit('arrived');
        response.end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await Proxy.start();
    const dsn = parseDsn(`http://publickey@127.0.0.1:${(server.address() as AddressInfo).port}/7`);
    if (dsn === undefined) throw new Error('no dsn');
    const limits = new UpstreamRateLimits();
    const options = {
      dsn,
      project: 'the project',
      client: 'errata/1',
      backoff: { minMs: 1, maxMs: 2 },
      connections: 2,
      ...WITHOUT_LIMITS,
      proxy: proxy.settings,
    };
    upstream = new Upstream(options, { rateLimits: limits, saveRateLimits: limits.add.bind(limits) });
    metrics = new Metrics();
    relay = new Relay([dispatcherOptions(upstream)], { spool, log: createLog('silent'), metrics });
  });

  afterEach(async () => {
    await relay.stop(1_000);
    await upstream.close();
    await spool.close();
    await proxy.stop();
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true });
  });

  it('loses no envelope while the proxy refuses, then is away, and gets all of them after it', async () => {
    const { port } = proxy;
    for (const text of TEXTS) await spool.append(envelope(`{"type":"event"}\n{"text":"${text}"}`));
    proxy.status = 407;
    relay.start();
    // More refusals than make a dead letter of an envelope, or a pause of its upstream.
    while (proxy.connects.length < 40) await proxy.next();
    const refused = await metrics.registry.getSingleMetricAsString('errata_relay_deliveries_total');
    await proxy.stop();
    const meanwhile = fates(await settledCounts(spool));
    proxy = await Proxy.start(port);
    while (arrived.length < TEXTS.length) await once(server, 'arrived');
    await relay.stop(1_000);

    expect(refused).toContain('proxy_407');
    expect(meanwhile).toEqual({ accepted: 6 });
    expect(arrived.toSorted()).toEqual(TEXTS.toSorted());
    expect(fates(await settledCounts(spool))).toMatchObject({ delivered: 6 });
    expect(await spool.ask('deadLetters', null, 10)).toEqual([]);
  });
});
