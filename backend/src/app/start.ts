import { type Config, ConfigErrors, type Environment, readConfig } from '../config/config.ts';
import { ErrorReporting } from '../error-reporting.ts';
import { recordProcessFailures } from '../errors/process-failures.ts';
import { DEFAULT_CLIENT_DIR, APPLICATION_ROOT, BUILD_VERSION } from '../parts/paths.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { Servers } from './servers.ts';

/** Frames kept of each error: the default of 10 often ends before the application's own code. */
const STACK_FRAMES = 50;

/** Starts the process; returns its exit code where it could not, undefined where it runs. */
export async function start(environment: Environment): Promise<number | undefined> {
  Error.stackTraceLimit = STACK_FRAMES;
  try {
    const config = readConfig(environment);
    const log = createLog(config.logLevel);
    await run(config, log);
    return undefined;
  } catch (error) {
    process.stderr.write(`${startFault(error)}\n`);
    return 1;
  }
}

async function run(config: Config, log: Log): Promise<void> {
  const parts = await ErrorReporting.open({
    config,
    log,
    applicationRoot: APPLICATION_ROOT,
    clientDir: config.clientDir ?? DEFAULT_CLIENT_DIR,
    release: config.release ?? BUILD_VERSION,
    metrics: new Metrics(),
  });
  const servers = await Servers.listen(parts).catch(async (error: unknown) => {
    await parts.close();
    throw error;
  });
  const end = async (signal: string, code: number): Promise<void> => {
    log.info({ signal }, 'stopping');
    await servers.drain();
    log.info('stopped');
    log.flush();
    process.exit(code);
  };
  recordProcessFailures(parts.failures, () => end('failure', 1));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(signal, 0));
  log.info({ ...servers.addresses, release: parts.options.release, node: process.version }, 'started');
  if (config.consoleLink) process.stderr.write(servers.banner());
}

/** What an operator can act on, in one line or, for settings, one line each; never a stack. */
function startFault(error: unknown): string {
  if (error instanceof ConfigErrors) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE' && error instanceof Error) {
    return `Cannot listen: ${error.message.replace(/^listen EADDRINUSE: /, '')}. Choose another PORT or MANAGEMENT_PORT.`;
  }
  return `Cannot start: ${error instanceof Error ? error.message : String(error)}`;
}
