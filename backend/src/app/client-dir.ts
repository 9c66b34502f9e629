import { type Config, SettingError } from '../config/config.ts';
import { DEFAULT_CLIENT_DIR } from '../config/paths.ts';
import { checkClient } from '../web/check-client.ts';

/**
 * Checks the client before anything is opened, so that a failed start leaves no data directory.
 *
 * @throws SettingError for the client of `ERRATA_CLIENT_DIR` and for routes without one, Error for the built-in one.
 */
export function checkClientDir({ clientDir, clientRoutes }: Config): void {
  if (clientDir === null && clientRoutes !== null)
    throw new SettingError('ERRATA_CLIENT_ROUTES', 'the pages of which client? Set ERRATA_CLIENT_DIR, too');
  try {
    checkClient(clientDir ?? DEFAULT_CLIENT_DIR, clientDir === null ? null : clientRoutes);
  } catch (error) {
    const problem = problemOf(error);
    if (clientDir !== null) throw new SettingError('ERRATA_CLIENT_DIR', problem, error);
    throw new Error(`${problem}. Run make build.`, { cause: error });
  }
}

/** Returns the fault of a client: the message names file and position, and a stack would tell an operator nothing more. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
