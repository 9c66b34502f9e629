import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { canonicalDsn, type Dsn, parseDsn } from '../envelope/dsn.ts';
import type { KeyName } from '../store/db/stored-key.ts';
import type { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { AllowedProject } from '../tunnel/allow-list.ts';
import { serverKeyOf, keyWithCopy } from './key-copy.ts';

/** RFC 2606: a name that never resolves, so that a report to the own project cannot leave the server by accident. */
const OWN_HOST = 'errata.invalid';

/** Time for the store to give the key of the server keys: it takes milliseconds, or seconds for a distant database. */
const SERVER_KEY_MS = 2_000;

/**
 * Returns the allowed projects; the first one is the application's own. Without `SENTRY_DSN` Errata creates one, whose
 * key is stored, so that all replicas share it.
 */
export async function allowedProjects(
  config: Config,
  store: Pick<EventStore, 'ask'>,
  log: Pick<Log, 'warn'>,
): Promise<readonly [AllowedProject, ...AllowedProject[]]> {
  const ask = (name: KeyName, copy?: string): Promise<string> => store.ask('storedKey', name, copy);
  const ownDsn = config.sentryDsn ?? dsnOfKey(await keyWithCopy('own_project_key', config.dataDir, ask, log));
  const key = await keyWithCopy(
    'server_key',
    config.dataDir,
    (name, copy) => inTime(ask(name, copy)),
    log,
  ).catch((err: unknown) => {
    log.warn({ err }, 'started_without_server_keys');
    return undefined;
  });
  const first = allowed(ownDsn, config.sentryDsn !== null, key);
  const further = config.tunnelDsns.map((dsn) => allowed(dsn, true, key));
  // A DSN that is named twice gets one dispatcher: two would send every envelope twice.
  const unique = new Map(further.map((project) => [project.project, project]));
  unique.delete(first.project);
  return [first, ...unique.values()];
}

/** The server keys can wait for the next start, so a database that is away does not hold this one for long. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = delay(SERVER_KEY_MS, undefined, { ref: false }).then(() => {
    throw new Error('the store did not answer in time');
  });
  return Promise.race([answer, late]);
}

/** @param key the stored key from which server keys are derived; undefined when it is not known. */
function allowed(dsn: Dsn, hasUpstream: boolean, key: string | undefined): AllowedProject {
  const project = canonicalDsn(dsn);
  return { dsn, project, hasUpstream, ...(key !== undefined && { serverKey: serverKeyOf(key, project) }) };
}

function dsnOfKey(key: string): Dsn {
  const dsn = parseDsn(`https://${key}@${OWN_HOST}/1`);
  if (dsn === undefined) throw new Error('the stored project key does not fit into a DSN');
  return dsn;
}
