import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import { STORE_BIT } from '../../sink/queued-envelope.ts';
import { openSqlite } from '../../store/db/sqlite/open-sqlite.ts';
import { TestedStore } from '../../store/test/tested-store.fixture.ts';
import { OWN, project } from './envelopes.fixture.ts';
import { type TestResponse, TunnelServer } from './tunnel-server.fixture.ts';

const CSP = {
  'csp-report': {
    'document-uri': 'https://shop.example/cart',
    'effective-directive': 'img-src',
    'blocked-uri': 'https://evil.example/pixel.gif',
  },
};
const BATCH = [
  { type: 'network-error', url: 'https://api.example/v1/pay', body: { type: 'tcp.timed_out' } },
  { type: 'crash', url: 'https://shop.example/', body: { reason: 'oom' } },
  { type: 'deprecation', url: 'https://shop.example/', body: { id: 'WebSQL', message: 'gone soon' } },
];

describe('browser reports without an upstream', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-reports-'));
  let tunnel: TunnelServer;
  let store: TestedStore;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({ projects: [project(OWN, false)] });
    const mapper = new SourceMapper(() => Promise.resolve(undefined));
    store = new TestedStore(openSqlite(join(directory, 'store.db'), 2 ** 30), {
      read: { maps: { mapper, idsOf: () => [] }, own: { root: '', mapper }, spool: 1 },
      onFault: (fault) => {
        throw new Error('the store failed', { cause: fault });
      },
      now: () => Date.now(),
    });
  });

  afterEach(async () => {
    await tunnel.stop();
    await store.close();
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  const report = (type: string, body: unknown): Promise<TestResponse> =>
    tunnel.send({ path: '/reports', headers: { 'Content-Type': type }, body: JSON.stringify(body) });

  it('are stored as issues by their content, and no response stops them in browsers', async () => {
    const answers = [
      await report('application/csp-report', CSP),
      await report('application/reports+json', BATCH),
    ];
    const queued = await tunnel.queued();
    await store.ingest(queued);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ headers }) => headers['x-sentry-rate-limits'])).not.toContainEqual(
      expect.stringContaining('security'),
    );
    expect(await tunnel.answers('no_upstream')).toBe(0);
    expect(queued.map(({ pending }) => pending)).toEqual([STORE_BIT, STORE_BIT]);
    const { issues } = await store.ask('issues', 10, null);
    expect(new Map(issues.map(({ title, kind }) => [title, kind]))).toEqual(
      new Map([
        ['Content-Security-Policy: img-src blocked https://evil.example', 'browser'],
        ['Deprecation: WebSQL', 'browser'],
        ['Network error: tcp.timed_out at https://api.example/<n>/pay', 'browser'],
        ['PageCrash: oom', 'browser'],
      ]),
    );
    const [csp, batch] = await Promise.all(answers.map(({ body }) => store.ask('event', body.id ?? '')));
    expect([csp?.title, batch?.title]).toEqual([
      'Content-Security-Policy: img-src blocked https://evil.example',
      'PageCrash: oom',
    ]);
  });
});
