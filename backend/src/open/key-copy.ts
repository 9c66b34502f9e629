import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyName } from '../store/db/stored-key.ts';
import type { Log } from '../telemetry/log.ts';

const FILES: Readonly<Record<KeyName, string>> = {
  own_project_key: 'own-project.key',
  server_key: 'server.key',
};
const KEY = /^[0-9a-f]{32}$/;
const KEY_LENGTH = 32;

/**
 * Returns a key that the store has, as replicas share it. A copy in the data directory lets a process start with it while
 * the store is away, on a full disk or without its PostgreSQL, and gives it back to a store that was created again.
 *
 * @param ask asks the store for the key.
 * @throws the error of the store when there is no copy.
 */
export async function keyWithCopy(
  name: KeyName,
  directory: string,
  ask: (name: KeyName, copy?: string) => Promise<string>,
  log: Pick<Log, 'warn'>,
): Promise<string> {
  const path = join(directory, FILES[name]);
  const copy = readCopy(path);
  try {
    const key = await ask(name, copy);
    if (key !== copy) writeCopy(path, key, log);
    return key;
  } catch (err) {
    if (copy === undefined) throw err;
    log.warn({ err, key: name }, 'started_without_store');
    return copy;
  }
}

/**
 * Returns the server key of a project: 32 hex digits that only a holder of the stored key can compute. One stored key is
 * enough for all projects, and no two of them have the same server key.
 *
 * @param project canonical DSN.
 */
export function serverKeyOf(stored: string, project: string): string {
  return createHmac('sha256', stored).update(project).digest('hex').slice(0, KEY_LENGTH);
}

function readCopy(path: string): string | undefined {
  try {
    const copy = readFileSync(path, 'utf8').trim();
    return KEY.test(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** Only a later start needs the copy: a full disk must not end this one. */
function writeCopy(path: string, key: string, log: Pick<Log, 'warn'>): void {
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600 });
  } catch (err) {
    log.warn({ err }, 'key_not_copied');
  }
}
