import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readConfig } from '../config/config.ts';
import { openSpool } from '../spool/spool.fixture.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { until } from '../tunnel/test/tunnel-server.fixture.ts';
import { openErrata } from './open-errata.ts';
import { Servers } from './servers.ts';

/** The time of such a stop is measured by F31 of e2e/faults. */
describe('a stop with a slow upload, a silent upstream and a spool whose close fails', () => {
  let folder: string;
  let upstream: Server;
  let delivered: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errata-stop-'));
    delivered = 0;
    upstream = createServer(() => void (delivered += 1)).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
  });

  afterEach(() => {
    upstream.closeAllConnections();
    upstream.close();
    rmSync(folder, { recursive: true });
  });

  it('cuts what is not finished at the deadline, and closes everything else', async () => {
    const dsn = `http://key@127.0.0.1:${(upstream.address() as AddressInfo).port}/1`;
    const output = new PassThrough();
    const [metrics, log] = [new Metrics(), createLog('info', output)];
    const settings = { ERRATA_DATA_DIR: folder, SENTRY_DSN: dsn, ERRATA_DRAIN_TIMEOUT: '200ms' };
    const config = readConfig({ PORT: '0', MANAGEMENT_PORT: '0', ...settings });
    const parts = await openErrata(config, log, metrics);
    const servers = await Servers.listen(parts);
    const { application } = servers.addresses;
    const event = `{"dsn":"${dsn}"}\n{"type":"event"}\n{}`;
    expect((await fetch(`${application}/tunnel`, { method: 'POST', body: event })).status).toBe(200);
    const upload = connect(Number(new URL(application).port), '127.0.0.1').on('error', () => {});
    const isCut = once(upload, 'close');
    upload.write('POST /tunnel HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{');
    await until(() => delivered === 1);
    await until(async () => /of="bytes"\} [1-9]/.test(await metrics.registry.metrics()));
    const closeSpool = parts.spool.close.bind(parts.spool);
    parts.spool.close = async (commitMs) => {
      await closeSpool(commitMs);
      throw new Error('planted');
    };

    const stopped = servers.drain();
    const deadline = parts.stopDeadline();
    await stopped;

    expect(parts.stopDeadline(60_000)).toBe(deadline);
    await isCut;
    await expect(parts.store.ask('claimAlerts', 'team')).rejects.toThrow('the thread is not running');
    await expect(fetch(application)).rejects.toThrow('fetch failed');
    const lines = (await text(output.end())).split('\n').filter((line) => line.includes('not_closed'));
    expect(lines).toEqual([expect.stringContaining('"part":"spool","msg":"part_not_closed"')]);
    await openSpool(folder).then((spool) => spool.close());
  });
});
