import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/config.ts';
import type { Errata } from '../errata.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { openErrata } from './open-errata.ts';
import { Servers } from './servers.ts';

describe('the port for gateways', () => {
  let folder: string;
  let parts: Errata;
  let servers: Servers;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errata-gateway-'));
    const clientDir = join(folder, 'client');
    mkdirSync(clientDir);
    for (const page of ['error.html', '404.html', 'index.html'])
      writeFileSync(join(clientDir, page), '<style></style>');
    const ports = { PORT: '0', MANAGEMENT_PORT: '0', ERRATA_GATEWAY_PORT: '0' };
    const folders = { ERRATA_DATA_DIR: join(folder, 'data'), ERRATA_CLIENT_DIR: clientDir };
    const config = readConfig({ ...ports, ...folders });
    parts = await openErrata(config, createLog('silent'), new Metrics());
    servers = await Servers.listen(parts);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Asks one of the listeners for the page of a dead service. */
  const ask = (url: string | null, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/cart`, { headers: { 'X-Code': '503', Accept: 'application/json', ...headers } });

  it('has the limits of the application’s, and the headers of gateways mean nothing there', async () => {
    const { application, management, gateway } = servers.addresses;

    const answers = await Promise.all([
      ask(gateway),
      ask(gateway, { 'X-Long': 'x'.repeat(20_000) }),
      ask(application),
      ask(management),
    ]);
    await servers.drain();

    expect(answers.map(({ status }) => status)).toEqual([503, 431, 404, 404]);
    expect(answers[1]?.headers.get('content-type')).toBe('application/problem+json');
    const digests = answers.map(({ headers }) => headers.has('x-errata-digest'));
    expect(digests).toEqual([true, false, false, false]);
  });

  it('lets pages in flight end at a stop, with their events on disk', async () => {
    const [isAppended, isStopping] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const append = parts.spool.append.bind(parts.spool);
    parts.spool.append = async (envelope) => {
      isAppended.resolve();
      await isStopping.promise;
      return append(envelope);
    };
    const { gateway } = servers.addresses;
    const answer = ask(gateway);
    await isAppended.promise;

    const isStopped = servers.drain();
    isStopping.resolve();
    const { status, headers } = await answer;
    await isStopped;

    expect([status, headers.get('connection')]).toEqual([503, 'close']);
    expect(headers.get('x-errata-reference')).toMatch(/^.{4}-.{4}$/);
    await expect(ask(gateway)).rejects.toThrow('fetch failed');
  });
});
