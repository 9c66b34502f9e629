import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/config.ts';
import { type EventStore, StoreUnavailable } from '../store/event-store.ts';
import { allowedProjects } from './allowed-projects.ts';

const UPSTREAM = 'https://abcdef0123456789abcdef0123456789@o1.ingest.example/42';
const FURTHER = 'https://abcdef0123456789abcdef0123456789@o1.ingest.example/43';

type Store = Pick<EventStore, 'ask'>;
const THERE: Store = {
  ask: (_, ...[name]) => Promise.resolve((name === 'server_key' ? 'b' : 'a').repeat(32) as never),
};
const AWAY: Store = { ask: () => Promise.reject(new StoreUnavailable('connection refused')) };

describe('allowedProjects', () => {
  let directory: string;
  const warnings: unknown[] = [];
  const log = { warn: (_fields: unknown, event?: string) => void warnings.push(event) };
  const projects = (store: Store, environment: Readonly<Record<string, string>> = {}) =>
    allowedProjects(readConfig({ ERRATA_DATA_DIR: directory, ...environment }), store, log);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-projects-'));
    warnings.length = 0;
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('have a public key and another one for servers', async () => {
    const [own] = await projects(THERE);

    expect(own.dsn.publicKey).toBe('a'.repeat(32));
    expect(own.serverKey).toMatch(/^[0-9a-f]{32}$/);
    expect([own.dsn.publicKey, 'b'.repeat(32)]).not.toContain(own.serverKey);
  });

  it('have different server keys, which stay the same while the store is away', async () => {
    const environment = { SENTRY_DSN: UPSTREAM, ERRATA_TUNNEL_DSNS: FURTHER };
    const before = (await projects(THERE, environment)).map(({ serverKey }) => serverKey);

    const after = (await projects(AWAY, environment)).map(({ serverKey }) => serverKey);

    expect(new Set(before).size).toBe(2);
    expect(after).toEqual(before);
    expect(warnings).toEqual(['started_without_store']);
  });

  it('have no server key at a first start without the store, which must not hold an upstream back', async () => {
    const [first] = await projects(AWAY, { SENTRY_DSN: UPSTREAM });

    expect(first.project).toBe(UPSTREAM);
    expect(first.serverKey).toBeUndefined();
    expect(warnings).toEqual(['started_without_server_keys']);
  });
});
