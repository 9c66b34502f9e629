import type { Writable } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { type Config, ConfigErrors, SettingError } from '../config/config.ts';
import { Errata } from '../errata.ts';
import { APPLICATION_ROOT, BUILD_VERSION, DEFAULT_CLIENT_DIR } from '../config/paths.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { hasOnePage } from '../web/check-client.ts';
import { checkClientDir } from './client-dir.ts';

/** Standard output and standard error of a command. */
export interface StandardStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Opens all parts of Errata's own process; nothing of them runs yet. @throws SettingError, see {@link Errata}. */
export async function openErrata(config: Config, log: Log, metrics: Metrics): Promise<Errata> {
  checkClientDir(config);
  const { clientDir, clientRoutes } = config;
  if (clientDir !== null && hasOnePage(clientDir, clientRoutes))
    log.info({ clientDir, forAllPaths: 'ERRATA_CLIENT_ROUTES=spa' }, 'client_has_one_page');
  return Errata.open({
    config,
    log,
    applicationRoot: APPLICATION_ROOT,
    clientDir: config.clientDir ?? DEFAULT_CLIENT_DIR,
    release: config.release ?? BUILD_VERSION,
    metrics,
    // start.ts drains before the end.
    recordsProcessFailures: false,
  });
}

/** Returns one line, or one for each invalid setting, that names what an operator can change; never a stack. */
export function failureLine(command: 'start' | 'drain', error: unknown): string {
  if (error instanceof ConfigErrors || error instanceof SettingError) return error.message;
  return `Cannot ${command}: ${isNativeError(error) ? error.message : String(error)}`;
}
