import { type Config, ConfigErrors, type Environment, readConfig, SettingError } from '../config/config.ts';
import { ErrorReporting } from '../error-reporting.ts';
import { recordProcessFailures } from '../errors/process-failures.ts';
import { APPLICATION_ROOT, BUILD_VERSION, DEFAULT_CLIENT_DIR } from '../parts/paths.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { checkClient } from '../web/route-manifest.ts';
import { Servers } from './servers.ts';

/**
 * Errata's own process, from the environment to the exit code. A start that fails must close everything that it opened
 * and print one line without a stack.
 */

/** Stack frames of each error: Node's default of 10 often ends before the application's own code. */
const STACK_FRAMES = 50;

/** Starts the process. Returns the exit code of a failed start, or undefined once Errata runs. */
export async function start(environment: Environment): Promise<number | undefined> {
  Error.stackTraceLimit = STACK_FRAMES;
  try {
    const config = readConfig(environment);
    const log = createLog(config.logLevel);
    await run(config, log);
    return undefined;
  } catch (error) {
    process.stderr.write(`${startError(error)}\n`);
    return 1;
  }
}

async function run(config: Config, log: Log): Promise<void> {
  checkClientDir(config);
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
  recordProcessFailures(parts.failureRecorder, () => end('failure', 1));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(signal, 0));
  log.info({ ...servers.addresses, release: parts.options.release, node: process.version }, 'started');
  if (config.consoleLink) process.stderr.write(servers.banner());
}

/** Checks the client before anything is opened, so that a failed start leaves no data directory. */
function checkClientDir({ clientDir }: Config): void {
  try {
    checkClient(clientDir ?? DEFAULT_CLIENT_DIR);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (clientDir !== null) throw new SettingError('ERRATA_CLIENT_DIR', problem, error);
    throw new Error(`${problem}. Run make build.`, { cause: error });
  }
}

/** Returns one line, or one for each invalid setting, that names what an operator can change; never a stack. */
function startError(error: unknown): string {
  if (error instanceof ConfigErrors || error instanceof SettingError) return error.message;
  return `Cannot start: ${error instanceof Error ? error.message : String(error)}`;
}
