import { parseArgs } from 'node:util';
import { type Config, type Environment, readConfig, SettingError } from '../config/config.ts';
import { durationMs } from '../config/value-types.ts';
import { checkSpool, DataDirError } from '../open/open-spool.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { deliverQueued } from './deliver-queued.ts';
import { failureLine, openErrata, type StandardStreams } from './open-errata.ts';

/**
 * The command `drain`: delivers what a data directory without a process still holds, for example the volume of a removed
 * replica. It opens the same parts as the start, but no listener, so it accepts no envelope of any client.
 */

/** Exit codes; a Job must not repeat 1 and 2, which need an operator, and may repeat 3. */
const ALL_DELIVERED = 0;
const FAILED = 1;
const NO_SPOOL = 2;
const SOME_LEFT = 3;

/** Time for 120,000 envelopes to one upstream at the default of `ERRATA_RELAY_MAX_RATE`. */
const DEFAULT_TIMEOUT = '10m';

/** Runs the command and returns its exit code. The result is on standard output, the log on standard error. */
export async function drain(
  environment: Environment,
  args: readonly string[],
  streams: StandardStreams = process,
): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  try {
    const timeoutMs = timeoutOf(args);
    return await deliverAll(readConfig(environment), timeoutMs, stop.signal, streams);
  } catch (error) {
    streams.stderr.write(`${failureLine('drain', error)}\n`);
    return error instanceof DataDirError ? NO_SPOOL : FAILED;
  }
}

async function deliverAll(
  config: Config,
  timeoutMs: number,
  stop: AbortSignal,
  { stdout, stderr }: StandardStreams,
): Promise<number> {
  checkSpool(config.dataDir);
  const log = createLog(config.logLevel, stderr);
  const print = (line: string): boolean => stdout.write(`${line}\n`);
  stop.addEventListener('abort', () => log.info('stopping'));
  const parts = await openErrata(config, log, new Metrics());
  try {
    const left = await deliverQueued(parts, { timeoutMs, stop, print });
    return left === 0 ? ALL_DELIVERED : SOME_LEFT;
  } finally {
    await parts.close();
  }
}

function timeoutOf(args: readonly string[]): number {
  const options = { timeout: { type: 'string', default: DEFAULT_TIMEOUT } } as const;
  const { timeout } = parseArgs({ args: [...args], options }).values;
  const { data, error } = durationMs.safeParse(timeout);
  if (data !== undefined) return data;
  const problem = error?.issues[0]?.message ?? 'invalid';
  throw new SettingError('--timeout', `${problem}, got ${JSON.stringify(timeout)}`);
}
