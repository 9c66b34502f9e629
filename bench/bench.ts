import { type Load, type LoadResult, runLoad } from './load.ts';
import { OTHER_CORE } from './cores.ts';
import type { Options } from './options.ts';
import { RunningServer } from './running-server.ts';
import type { Results, Sample, Setting } from './series.ts';
import type { ServerKind } from './servers.ts';
import type { Upstream } from './upstream.ts';
import { meter, type Usage } from './usage.ts';

/** What all modes share. */
export interface Bench {
  readonly options: Options;
  readonly directory: string;
  readonly upstream: Upstream;
  readonly servers: readonly ServerKind[];
  readonly results: Results;
  readonly print: (line: string) => void;
}

/** Runs `work` with a server of this kind, which ends with it. @param environment of the mode, above the kind's own. */
export async function withServer<T>(
  { directory, upstream }: Bench,
  kind: ServerKind,
  work: (server: RunningServer) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const changed = { ...kind, environment: { ...kind.environment, ...environment } };
  const server = await RunningServer.start(changed, upstream.dsn, directory);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

export interface Measured {
  readonly load: LoadResult;
  readonly usage: Usage;
}

/** Loads a server, and meters who works meanwhile. @param beside a second load, which takes as long. */
export async function measure(
  { upstream }: Bench,
  server: RunningServer,
  load: Load,
  { signal, beside }: { readonly signal?: AbortSignal; readonly beside?: Load } = {},
): Promise<Measured> {
  const { port, directory } = server;
  const target = { port, directory, dsn: upstream.dsn, core: OTHER_CORE };
  const end = meter(server.pid, upstream);
  const [result, other] = await Promise.all([
    runLoad(load, target, signal),
    beside === undefined ? null : runLoad(beside, target),
  ]);
  const loaderCpuSeconds = result.loaderCpuSeconds + (other?.loaderCpuSeconds ?? 0);
  return { load: result, usage: end({ ...result, loaderCpuSeconds }) };
}

/** The highest connection count selected, for the modes that use one. */
export function connectionsOf({ options }: Bench): number {
  return options.connections.at(-1) ?? 128;
}

/** Envelopes the server took in, in the sense of its 200. */
export function okOf({ requests, notOk }: LoadResult): number {
  return requests - notOk;
}

/** Keeps a figure and prints it: long work shows where it is. */
export function record(bench: Bench, setting: Setting, kind: ServerKind, sample: Sample): void {
  bench.results.add(setting, kind, sample);
  const { perSecond, load, usage, note, isSound } = sample;
  const beside = setting.beside === undefined ? '' : `, beside ${setting.beside}`;
  const remarks = [
    ...(note === null ? [] : [note]),
    ...(isSound ? [] : ['NOT SOUND']),
    ...(usage.voidReason === null ? [] : [`void: ${usage.voidReason}`]),
  ];
  bench.print(
    `  ${kind.title}, ${setting.connections} connections${beside}: ${Math.round(perSecond).toLocaleString('en')}/s,` +
      ` p50 ${load.p50Ms.toFixed(1)} p99 ${load.p99Ms.toFixed(1)} ms` +
      remarks.map((remark) => `; ${remark}`).join(''),
  );
}
