import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Backlog, waitForBacklog } from './backlog.ts';
import { Child, freePort } from './child.ts';
import { type LoadResult, runLoad } from './load.ts';
import type { ServerKind } from './servers.ts';
import type { Upstream } from './upstream.ts';

const SERVER_CORE = 0;
/** The loader and the upstream share the other core; the results say how much of it they used. */
export const OTHER_CORE = 1;
/** Above this share of a core the measuring side may be what is measured. */
const MAX_OTHER_CPU = 0.9;

export interface RoundOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly directory: string;
  readonly upstream: Upstream;
}

export interface Round extends LoadResult {
  readonly serverCpu: number;
  readonly upstreamCpu: number;
  /** The loader's core was full: the figure is the bench's, not the server's. */
  readonly isVoid: boolean;
  readonly backlog: Backlog | null;
}

/** Starts a server afresh, warms it up, loads it, and stops it: nothing of one round weighs on the next. */
export async function runRound(kind: ServerKind, options: RoundOptions): Promise<Round> {
  const { upstream } = options;
  const directory = mkdtempSync(join(options.directory, `${kind.id}-`));
  const port = await freePort();
  const managementPort = await freePort();
  const environment = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
    SENTRY_DSN: upstream.dsn,
    ERRATA_DATA_DIR: directory,
  };
  const server = Child.start(kind.title, SERVER_CORE, kind.command, environment, join(directory, 'server.log'));
  try {
    await server.listens(port);
    const before = await upstream.delivered();
    const load = { port, dsn: upstream.dsn, core: OTHER_CORE, directory, connections: options.connections };
    if (options.warmUpSeconds > 0) await runLoad({ ...load, seconds: options.warmUpSeconds });
    if (kind.isDurable && options.warmUpSeconds > 0) await waitForBacklog(upstream, managementPort, before);
    const from = used(server, upstream);
    const result = await runLoad({ ...load, seconds: options.seconds });
    const to = used(server, upstream);
    const upstreamCpu = (to.upstream - from.upstream) / result.seconds;
    const backlog = kind.isDurable ? await waitForBacklog(upstream, managementPort, before) : null;
    return {
      ...result,
      serverCpu: (to.server - from.server) / result.seconds,
      upstreamCpu,
      isVoid: result.loaderCpu + upstreamCpu > MAX_OTHER_CPU,
      backlog,
    };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function used(server: Child, upstream: Upstream): { readonly server: number; readonly upstream: number } {
  return { server: server.cpuSeconds ?? 0, upstream: upstream.child.cpuSeconds ?? 0 };
}
