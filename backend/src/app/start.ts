import { type Config, type Environment, readConfig } from '../config/config.ts';
import { recordProcessFailures } from '../errors/process-failures.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { LogOutput } from './log-output.ts';
import { failureLine, openErrata, type StandardStreams } from './open-errata.ts';
import { Servers } from './servers.ts';

/**
 * Errata's own process, from the environment to the exit code. A start that fails must close everything that it opened
 * and print one line without a stack.
 */

/** Stack frames of each error: Node's default of 10 often ends before the application's own code. */
const STACK_FRAMES = 50;

/**
 * Starts the process. The log is on standard output, for people are the fault of a failed start and the banner on standard
 * error. Returns the exit code of a failed start, or undefined once Errata runs.
 */
export async function start(
  environment: Environment,
  { stdout, stderr }: StandardStreams = process,
): Promise<number | undefined> {
  Error.stackTraceLimit = STACK_FRAMES;
  try {
    const config = readConfig(environment);
    const metrics = new Metrics();
    const output = new LogOutput(stdout, () => metrics.droppedLogLines.inc());
    const servers = await run(config, createLog(config.logLevel, output), metrics);
    if (config.consoleLink) stderr.write(servers.banner());
    return undefined;
  } catch (error) {
    stderr.write(`${failureLine('start', error)}\n`);
    return 1;
  }
}

async function run(config: Config, log: Log, metrics: Metrics): Promise<Servers> {
  const parts = await openErrata(config, log, metrics);
  const servers = await Servers.listen(parts).catch(async (error: unknown) => {
    await parts.close();
    throw error;
  });
  const end = async (signal: string, code: number): Promise<void> => {
    log.info({ signal }, 'stopping');
    await servers.drain();
    log.info('stopped');
    await new Promise((resolve) => log.flush(resolve));
    process.exit(code);
  };
  recordProcessFailures(parts.failureRecorder, () => end('failure', 1));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(signal, 0));
  await servers.becomeReady();
  const [{ project: dsn }] = parts.projects;
  log.info({ ...servers.addresses, dsn, release: parts.options.release, node: process.version }, 'started');
  return servers;
}
