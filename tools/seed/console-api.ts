import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { url } from '../running.ts';

const { ERRATA_CONSOLE_TOKEN, ERRATA_CONSOLE_TOKEN_FILE } = process.env;
/** Where `make start` keeps it. */
const TOKEN_FILE =
  ERRATA_CONSOLE_TOKEN_FILE ?? join(import.meta.dirname, '..', '..', 'data', 'console-token');
const token =
  ERRATA_CONSOLE_TOKEN ?? (existsSync(TOKEN_FILE) ? readFileSync(TOKEN_FILE, 'utf8').trim() : null);

/** An event is in the store some 10 ms after its 200; a busy machine may take longer. */
const TRIES = 40;
const PAUSE_MS = 250;

/** Whether the console's API can be asked at all. */
export async function hasConsole(): Promise<boolean> {
  return token !== null && (await ask('/console/api/issues')).status === 200;
}

export function ask(path: string, body?: unknown): Promise<Response> {
  return fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token ?? ''}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** What is at a path, as soon as it is there and as wanted; undefined when it does not come. */
export async function waitFor<T>(
  path: string,
  isWanted: (found: T) => boolean = () => true,
): Promise<T | undefined> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const answer = await ask(path);
    if (answer.status === 200) {
      const found = (await answer.json()) as T;
      if (isWanted(found)) return found;
    }
    await pause(PAUSE_MS);
  }
  return undefined;
}

/** Digest of an event, once it is stored. */
export async function digestOf(eventId: string): Promise<string | undefined> {
  return (await waitFor<{ readonly digest: string }>(`/console/api/events/${eventId}`))?.digest;
}
