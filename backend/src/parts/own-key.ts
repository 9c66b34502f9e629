import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';

const FILE = 'own-project.key';
const KEY = /^[0-9a-f]{32}$/;

/**
 * Returns the key of the own project. The store has it, as replicas share it; a copy in the data directory lets a process
 * start while the store is away, on a full disk or without its PostgreSQL.
 *
 * @throws the error of the store when there is no copy.
 */
export async function ownKey(
  directory: string,
  store: Pick<EventStore, 'ask'>,
  log: Pick<Log, 'warn'>,
): Promise<string> {
  const path = join(directory, FILE);
  const copy = readCopy(path);
  try {
    const key = await store.ask('ownProjectKey');
    if (key !== copy) writeCopy(path, key, log);
    return key;
  } catch (err) {
    if (copy === undefined) throw err;
    log.warn({ err }, 'started_without_store');
    return copy;
  }
}

function readCopy(path: string): string | undefined {
  try {
    const copy = readFileSync(path, 'utf8').trim();
    return KEY.test(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** Only a later start without the store needs the copy: a full disk must not end this one. */
function writeCopy(path: string, key: string, log: Pick<Log, 'warn'>): void {
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600 });
  } catch (err) {
    log.warn({ err }, 'own_key_not_copied');
  }
}
