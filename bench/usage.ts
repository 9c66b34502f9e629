import { busySeconds, OTHER_CORE, SERVER_CORE } from './cores.ts';
import { cpuSeconds, type ThreadTime, threadTimes } from './proc.ts';
import type { Upstream } from './upstream.ts';

/** Share of a core above which the measuring side may limit the result. */
const MAX_OTHER_CPU = 0.9;
/** Share of either core above which the work of other processes is measured, too. */
const MAX_FOREIGN_CPU = 0.1;

/** Node calls every worker thread this unless it was given a name; here they are told apart by their order. */
const UNNAMED_WORKER = 'WorkerThread';

/** Who used how much of the cores while a load ran, as shares of one core. */
export interface Usage {
  readonly server: number;
  readonly loader: number;
  readonly upstream: number;
  /** Processes not of this bench, on the core where they used more. */
  readonly foreign: number;
  /** Why the figure is not the server's: the loader's core was full, or others worked on the cores too. */
  readonly voidReason: 'loader full' | 'other work' | null;
  /** CPU seconds of the server by thread, most first. */
  readonly threads: readonly ThreadTime[];
}

/** CPU seconds so far. */
interface Reading {
  readonly server: number;
  readonly upstream: number;
  readonly own: number;
  readonly serverCore: number;
  readonly otherCore: number;
  readonly threads: ReadonlyMap<string, number>;
}

function read(pid: number, upstream: Upstream): Reading {
  const { user, system } = process.cpuUsage();
  return {
    server: cpuSeconds(pid) ?? 0,
    upstream: upstream.cpuSeconds,
    own: (user + system) / 1e6,
    serverCore: busySeconds(SERVER_CORE),
    otherCore: busySeconds(OTHER_CORE),
    threads: byName(threadTimes(pid)),
  };
}

/** Threads of one name together, as those of a pool are; unnamed workers each by itself. */
function byName(times: readonly ThreadTime[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  let workers = 0;
  for (const { name, seconds } of times) {
    if (name === UNNAMED_WORKER) workers += 1;
    const key = name === UNNAMED_WORKER ? `worker ${workers}` : name.replace(/^node-/, '');
    sums.set(key, (sums.get(key) ?? 0) + seconds);
  }
  return sums;
}

/** Starts to meter, and returns the function that ends it. The loader's share comes with the loader's result. */
export function meter(
  pid: number,
  upstream: Upstream,
): (load: { readonly seconds: number; readonly loaderCpuSeconds: number }) => Usage {
  const from = read(pid, upstream);
  return ({ seconds, loaderCpuSeconds }) => usageOf(from, read(pid, upstream), seconds, loaderCpuSeconds);
}

function usageOf(from: Reading, to: Reading, seconds: number, loaderCpuSeconds: number): Usage {
  const share = (name: Exclude<keyof Reading, 'threads'>): number => (to[name] - from[name]) / seconds;
  const [server, upstream, loader] = [share('server'), share('upstream'), loaderCpuSeconds / seconds];
  const onOtherCore = share('otherCore') - upstream - loader - share('own');
  const foreign = Math.max(0, share('serverCore') - server, onOtherCore);
  const isFull = loader + upstream > MAX_OTHER_CPU;
  const isDisturbed = foreign > MAX_FOREIGN_CPU;
  const threads = [...to.threads].map(([name, until]) => ({
    name,
    seconds: until - (from.threads.get(name) ?? 0),
  }));
  return {
    server,
    loader,
    upstream,
    foreign,
    voidReason: isFull ? 'loader full' : isDisturbed ? 'other work' : null,
    threads: threads.sort((one, other) => other.seconds - one.seconds),
  };
}
