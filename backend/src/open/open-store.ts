import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, publicUrlOf, SettingError } from '../config/config.ts';
import { canonicalDsn } from '../envelope/dsn.ts';
import { EventStore, StoreRefused, StoreUnusable } from '../store/event-store.ts';
import type { RetentionLimits } from '../store/retention/retention.ts';
import type { ServedClient } from '../store/source-maps/event-maps.ts';
import type { StoreLimits, StoreWorkerData } from '../store/store-messages.ts';
import { DAY_MS } from '../time/iso.ts';
import type { Caps, PresentCaps } from '../maintenance/caps.ts';
import { alertTargets } from './open-alerts.ts';
import type { ErrataOptions } from './options.ts';
import { DEFAULT_CLIENT_DIR } from '../config/paths.ts';

/** Time for the store to say that it cannot use its database. A database that is away must not hold the start. */
const STORE_ANSWER_MS = 2_000;

/** Time from one line about a refusal to the next: as for refused sign-ins, one a minute fills no log. */
const REFUSAL_LINE_MS = 60_000;
const REFUSAL_ACTION =
  'correct the setting, or the database and the rights of its role; until then errors wait in the spool';

/** Starts the thread of the store, which opens it. @param spool identity of the spool that envelopes come from. */
export function openStore(options: ErrataOptions, caps: PresentCaps, spool: number): EventStore {
  const { log, startStore: start } = options;
  return new EventStore(storeData(options, caps, spool), {
    start,
    onFault: logFaults(options),
    onWarning: (warning) => log.warn({ warning }, 'store_warning'),
  });
}

/**
 * Returns a function that counts and logs faults of the store. A database that refuses the store does so in each call, and one
 * line in {@link REFUSAL_LINE_MS} says what an operator has to change.
 *
 * @param now monotonic clock, ms.
 */
export function logFaults(
  { config, log, metrics }: Pick<ErrataOptions, 'config' | 'log' | 'metrics'>,
  now = () => performance.now(),
): (fault: unknown) => void {
  let loggedAtMs = -Infinity;
  return (err) => {
    metrics.storeFaults.inc();
    if (!(err instanceof StoreRefused)) log.error({ err }, 'store_fault');
    else if (now() - loggedAtMs >= REFUSAL_LINE_MS) {
      loggedAtMs = now();
      log.error({ problem: storeError(config, err).message, action: REFUSAL_ACTION }, 'store_refused');
    }
  };
}

type StoreOptions = Pick<ErrataOptions, 'config' | 'clientDir' | 'applicationRoot' | 'release'>;

/** Returns the start data of the store's thread. Each start of the thread reads the limits again: it may follow a raise. */
export function storeData(
  { config, clientDir, applicationRoot, release }: StoreOptions,
  caps: PresentCaps,
  spool: number,
): StoreWorkerData {
  return {
    databaseUrl: config.databaseUrl,
    file: join(config.dataDir, 'store.db'),
    get limits() {
      return storeLimits(config, caps.current);
    },
    clientDirs: [clientDir, DEFAULT_CLIENT_DIR],
    applicationRoot,
    served: servedClient(config, release),
    alerts: { publicUrl: publicUrlOf(config), targets: alertTargets(config) },
    spool,
  };
}

/** The first allowed DSN is the client's own, or the one that Errata makes; all others are those of other applications. */
function servedClient({ publicUrl, sentryDsn, tunnelDsns }: Config, release: string): ServedClient {
  const own = sentryDsn === null ? null : canonicalDsn(sentryDsn);
  const otherProjects = tunnelDsns.map(canonicalDsn).filter((project) => project !== own);
  return { release, publicOrigin: publicUrl, otherProjects };
}

/** Returns the limits of the store's files and data. */
export function storeLimits(config: Config, caps: Caps): StoreLimits {
  return { maxFileBytes: caps.storeFile, maxLogBytes: caps.storeLog, retention: retentionOf(config, caps) };
}

/** Returns the age and size of the data that retention keeps. */
export function retentionOf({ retentionDays }: Config, { store }: Caps): RetentionLimits {
  return { maxAgeMs: retentionDays * DAY_MS, maxBytes: store };
}

/**
 * Waits until a store in a file is open, and for one in a database at most {@link STORE_ANSWER_MS}.
 *
 * @throws StoreUnusable. The envelopes wait for the end of any other fault; the log has a database that refuses the store.
 */
export async function refuseUnusable(store: EventStore, { databaseUrl }: Config): Promise<void> {
  const asked = store.ask('storedEvents').catch((error: unknown) => {
    if (error instanceof StoreUnusable) throw error;
  });
  const bound = databaseUrl === null ? [] : [delay(STORE_ANSWER_MS, undefined, { ref: false })];
  await Promise.race([asked, ...bound]);
}

/** Returns an error that names the setting of the store that did not open. A password in DATABASE_URL must not reach the message. */
export function storeError({ databaseUrl, dataDir }: Config, error: unknown): SettingError {
  const message = error instanceof Error ? error.message : String(error);
  if (databaseUrl === null) {
    return new SettingError(
      'ERRATA_DATA_DIR',
      `cannot open ${join(dataDir, 'store.db')} (${message})`,
      error,
    );
  }
  const { hostname, port } = new URL(databaseUrl);
  const address = `${hostname}:${port === '' ? '5432' : port}`;
  const [reason] =
    /\b(ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/.exec(message) ?? [];
  // A connection to both addresses of a name fails with an empty message.
  const isConnected = reason === undefined && message !== '';
  const problem = isConnected ? `cannot use the database at ${address}` : `cannot connect to ${address}`;
  const detail = reason ?? message;
  return new SettingError('DATABASE_URL', detail === '' ? problem : `${problem} (${detail})`, error);
}
