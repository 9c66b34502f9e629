import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Backlog, waitForBacklog } from './backlog.ts';
import { Child, freePort } from './child.ts';
import { busySeconds } from './cores.ts';
import { type LoadResult, runLoad } from './load.ts';
import type { ServerKind } from './servers.ts';
import type { Upstream } from './upstream.ts';

const SERVER_CORE = 0;
/** The loader and the upstream share the other core; the results say how much of it they used. */
export const OTHER_CORE = 1;
/** Above this share of a core the measuring side may be what is measured. */
const MAX_OTHER_CPU = 0.9;
/** Above this share of either core somebody else's work is measured with it. */
const MAX_FOREIGN_CPU = 0.1;

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
  /** Share of the cores that went to processes not of this bench. */
  readonly foreignCpu: number;
  /** Why the figure is not the server's: the loader's core was full, or others worked on the cores too. */
  readonly voidReason: 'loader full' | 'other work' | null;
  /** 200s since the server's start, the warm-up's too: what must arrive. */
  readonly answered: number;
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
  const server = Child.start(
    kind.title,
    SERVER_CORE,
    kind.command,
    environment,
    join(directory, 'server.log'),
  );
  try {
    await server.listens(port);
    const before = await upstream.delivered();
    const load = { port, dsn: upstream.dsn, core: OTHER_CORE, directory, connections: options.connections };
    const warmUp = await runLoad({ ...load, seconds: options.warmUpSeconds });
    if (kind.isDurable) await waitForBacklog(upstream, managementPort, before);
    const from = used(server, upstream);
    const result = await runLoad({ ...load, seconds: options.seconds });
    const to = used(server, upstream);
    const shares = sharesOf(from, to, result);
    const backlog = kind.isDurable ? await waitForBacklog(upstream, managementPort, before) : null;
    const answered = warmUp.requests - warmUp.notOk + result.requests - result.notOk;
    return { ...result, ...shares, answered, backlog };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** CPU seconds so far. */
interface Used {
  readonly server: number;
  readonly upstream: number;
  readonly serverCore: number;
  readonly otherCore: number;
}

function used(server: Child, upstream: Upstream): Used {
  return {
    server: server.cpuSeconds ?? 0,
    upstream: upstream.child.cpuSeconds ?? 0,
    serverCore: busySeconds(SERVER_CORE),
    otherCore: busySeconds(OTHER_CORE),
  };
}

function sharesOf(
  from: Used,
  to: Used,
  { seconds, loaderCpu }: LoadResult,
): Pick<Round, 'serverCpu' | 'upstreamCpu' | 'foreignCpu' | 'voidReason'> {
  const share = (name: keyof Used): number => (to[name] - from[name]) / seconds;
  const [serverCpu, upstreamCpu] = [share('server'), share('upstream')];
  const foreignCpu = Math.max(
    0,
    share('serverCore') - serverCpu,
    share('otherCore') - upstreamCpu - loaderCpu,
  );
  const isFull = loaderCpu + upstreamCpu > MAX_OTHER_CPU;
  const isDisturbed = foreignCpu > MAX_FOREIGN_CPU;
  return {
    serverCpu,
    upstreamCpu,
    foreignCpu,
    voidReason: isFull ? 'loader full' : isDisturbed ? 'other work' : null,
  };
}
