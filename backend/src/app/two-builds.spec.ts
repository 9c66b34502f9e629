import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type Environment, readConfig } from '../config/config.ts';
import type { Errata } from '../errata.ts';
import { createSharedDatabase } from '../store/test/shared-postgres.fixture.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ClientFolder } from '../web/client-folder.fixture.ts';
import { openErrata } from './open-errata.ts';
import { Servers } from './servers.ts';

/** Files of a build by its name: all have other names in another build, but for one that both share. */
const filesOf = (build: string): Readonly<Record<string, string>> => ({
  'assets/shared-AbCd1234.js': 'shared();',
  [`assets/index-${build}bCd1234.js`]: `start${build}();`,
  [`assets/about-${build}bCd1234.js`]: `about${build}();`,
  [`assets/index-${build}bCd1234.css`]: `.${build} {}`,
  [`assets/logo-${build}bCd1234.svg`]: `<svg id="${build}"/>`,
  [`assets/font-${build}bCd1234.woff2`]: `font ${build}`,
});
const EVERY = { ...filesOf('A'), ...filesOf('B') };

describe('two builds of a client in two processes', () => {
  const folders: string[] = [];
  const output = new PassThrough();
  const running = new Map<Servers, Errata>();
  const build = (name: string) =>
    new ClientFolder({ 'index.html': `<title>${name}</title>`, ...filesOf(name) });
  let [first, second]: ClientFolder[] = [];

  beforeEach(() => {
    [first, second] = [build('A'), build('B')];
  });

  afterEach(async () => {
    for (const servers of running.keys()) await stop(servers);
    for (const folder of [first?.parent, second?.parent, ...folders.splice(0)])
      rmSync(folder ?? '', { recursive: true });
  });

  /** Starts a process, which is not ready yet. */
  async function listen(client: ClientFolder | undefined, environment: Environment): Promise<Servers> {
    const dataDir = mkdtempSync(join(tmpdir(), 'errata-builds-'));
    folders.push(dataDir);
    const ports = { PORT: '0', MANAGEMENT_PORT: '0', ERRATA_DATA_DIR: dataDir, ERRATA_DRAIN_TIMEOUT: '1s' };
    const config = readConfig({ ...ports, ERRATA_CLIENT_DIR: client?.path, ...environment });
    const parts = await openErrata(config, createLog('warn', output), new Metrics());
    const servers = await Servers.listen(parts);
    running.set(servers, parts);
    return servers;
  }

  async function start(...process: Parameters<typeof listen>): Promise<Servers> {
    const servers = await listen(...process);
    await servers.becomeReady();
    return servers;
  }

  async function stop(servers: Servers): Promise<void> {
    running.delete(servers);
    await servers.drain();
  }

  const get = (servers: Servers, path: string, of: 'application' | 'management' = 'application') =>
    fetch(`${servers.addresses[of]}/${path}`);

  async function statusOf(...request: Parameters<typeof get>): Promise<number> {
    const answer = await get(...request);
    await answer.text();
    return answer.status;
  }

  async function allFrom(servers: Servers): Promise<unknown> {
    const texts = Object.keys(EVERY).map(async (path) => [path, await (await get(servers, path)).text()]);
    return Object.fromEntries(await Promise.all(texts));
  }

  it('are ready once their files were tried, however late', async () => {
    const servers = await listen(first, {});
    const tried = Promise.withResolvers<void>();
    Object.defineProperty(running.get(servers)?.clientCopy, 'tried', { get: () => tried.promise });
    const readiness = () => statusOf(servers, 'readyz', 'management');

    const ready = servers.becomeReady();
    const before = await readiness();
    tried.resolve();
    await ready;

    expect([before, await readiness()]).toEqual([503, 200]);
  });

  it('are ready without them after a while, and say so', async () => {
    const servers = await listen(first, {});
    Object.defineProperty(running.get(servers)?.clientCopy, 'tried', { get: () => new Promise(() => {}) });

    await servers.becomeReady(0);

    expect(await statusOf(servers, 'readyz', 'management')).toBe(200);
    expect(String(output.read())).toContain('client_files_late');
  });

  it('are not ready after a signal that came before', async () => {
    const servers = await listen(first, {});

    await stop(servers);

    await expect(servers.becomeReady()).resolves.toBeUndefined();
  });

  it('serve every file of both, also after a rollback', async () => {
    const shared = { DATABASE_URL: await createSharedDatabase('embedded-postgres', 'builds') };
    const old = await start(first, shared);
    const next = await start(second, shared);

    expect(await allFrom(old)).toEqual(EVERY);
    expect(await allFrom(next)).toEqual(EVERY);
    await stop(next);
    await stop(old);
    const back = await start(first, shared);

    expect(await allFrom(back)).toEqual(EVERY);
  });

  it('serve every file of both with SQLite, after a restart and while the next build has emptied the folder', async () => {
    const own = mkdtempSync(join(tmpdir(), 'errata-builds-'));
    const settings = { ERRATA_DATA_DIR: own };
    await stop(await start(first, settings));
    const next = await start(second, settings);
    const afterRestart = await allFrom(next);
    for (const path of Object.keys(filesOf('B'))) second?.lose(path);

    expect([afterRestart, await allFrom(next)]).toEqual([EVERY, EVERY]);
    folders.push(own);
  });

  it('answer 404 to a name that no build has, and 503 while the store is away', async () => {
    const servers = await start(first, {});
    const missing = await get(servers, 'assets/gone-AbCd1234.js');
    await running.get(servers)?.store.close();
    const away = await get(servers, 'assets/gone-AbCd1234.js');

    expect([missing, away].map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual([
      [404, 'no-store'],
      [503, 'no-store'],
    ]);
    expect(away.headers.get('retry-after')).toMatch(/^([5-9]|10)$/);
    expect(away.headers.get('x-errata-digest')).toBeNull();
    expect(await statusOf(servers, 'assets/index-AbCd1234.js')).toBe(200);
    const { registry } = running.get(servers)?.options.metrics ?? new Metrics();
    expect(await registry.getSingleMetricAsString('errata_client_files_total')).toContain('"missing"} 1');
  });
});
