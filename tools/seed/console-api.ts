import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TIMEOUT_MS, url } from '../running.ts';

const { ERRATA_CONSOLE_TOKEN, ERRATA_CONSOLE_TOKEN_FILE } = process.env;
/** File in which `make start` stores the token. */
const TOKEN_FILE =
  ERRATA_CONSOLE_TOKEN_FILE ?? join(import.meta.dirname, '..', '..', 'data', 'console-token');
const token =
  ERRATA_CONSOLE_TOKEN ?? (existsSync(TOKEN_FILE) ? readFileSync(TOKEN_FILE, 'utf8').trim() : null);

/** An event is in the store about 10 ms after its 200, on a busy machine later. */
const TRIES = 40;
const PAUSE_MS = 250;

/** Returns whether the console is open and accepts the token. */
export async function hasConsole(): Promise<boolean> {
  return token !== null && (await ask('/console/api/issues')).status === 200;
}

export function ask(path: string, body?: unknown): Promise<Response> {
  return fetch(url + path, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token ?? ''}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Polls a path until it exists and the condition holds; undefined when it does not in time. */
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

/** Returns the digest of an event when it is stored. */
export async function digestOf(eventId: string): Promise<string | undefined> {
  return (await waitFor<{ readonly digest: string }>(`/console/api/events/${eventId}`))?.digest;
}
