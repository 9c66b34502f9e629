import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { type Config, SettingError } from '../config/config.ts';
import { Spool } from '../spool/spool.ts';
import type { SpoolEvents } from '../spool/spool-listeners.ts';
import type { SpoolLimits, SpoolWorkerData } from '../spool/protocol/spool-messages.ts';
import type { Log } from '../telemetry/log.ts';
import { countBy, type Metrics } from '../telemetry/metrics.ts';
import type { Caps, PresentCaps } from '../maintenance/caps.ts';
import type { ErrataOptions } from './options.ts';
import { DAY_MS, HOUR_MS } from '../time/iso.ts';

/** A check-in that arrives later is useless: the monitor has raised its alarm already. */
const CHECK_IN_MAX_AGE_MS = HOUR_MS;
/** Upstreams reject sessions, spans and logs that are older, or change their time. */
const OTHER_MAX_AGE_MS = DAY_MS;

/** 1,000 dead letters are more than an operator reads; two weeks cover an operator's absence. */
const DEAD_LETTER_LIMITS = { maxRows: 1_000, maxAgeMs: 14 * DAY_MS };

/**
 * 100,000 keys need about 20 MiB of memory and 6 MiB of disk. A client that was offline sends its queued envelopes again
 * within a day.
 */
const DEDUP_LIMITS: SpoolLimits['dedup'] = { maxKeys: 100_000, maxAgeMs: DAY_MS };

/** The spool of the data directory cannot be opened: missing, not writable, or another process uses it. */
export class DataDirError extends SettingError {
  constructor(problem: string, cause?: unknown) {
    super('ERRATA_DATA_DIR', problem, cause);
  }
}

/** Checks that a directory has a spool, for a command that must not create one. @throws DataDirError if it has none. */
export function checkSpool(directory: string): void {
  if (existsSync(join(directory, 'spool.db'))) return;
  throw new DataDirError(
    `${directory} has no spool (spool.db); name the data directory of an earlier Errata process`,
  );
}

/** Opens the spool. @throws DataDirError when another process uses the data directory, or its disk is full. */
export async function openSpool(
  { config, log, metrics, startSpool }: ErrataOptions,
  caps: PresentCaps,
): Promise<Spool> {
  const events = eventsOf(log, metrics);
  return Spool.open(spoolData(config, caps), events, startSpool).catch((error: unknown) => {
    throw new DataDirError(error instanceof Error ? error.message : String(error), error);
  });
}

/** Returns the start data of the spool's thread. Each start of the thread reads the limits again: it may follow a raise. */
export function spoolData(config: Config, caps: PresentCaps): SpoolWorkerData {
  return {
    directory: config.dataDir,
    get limits() {
      return spoolLimits(config, caps.current);
    },
  };
}

/** Returns the limits of the spool's data. */
export function spoolLimits({ spoolMaxAgeMs }: Config, caps: Caps): SpoolLimits {
  return {
    maxBytes: caps.spool,
    maxAgeMs: { error: spoolMaxAgeMs, check_in: CHECK_IN_MAX_AGE_MS, other: OTHER_MAX_AGE_MS },
    deadLetters: { ...DEAD_LETTER_LIMITS, maxBytes: caps.deadLetters },
    dedup: DEDUP_LIMITS,
  };
}

/** Only the owner: envelopes contain personal data. An existing directory keeps its mode, such as that of a mounted volume. */
const DIRECTORY_MODE = 0o700;

/** Files that the spool, and a store without PostgreSQL, open in the data directory. */
const SPOOL_FILES = ['spool.lock', 'spool.db', 'spool.db-wal', 'spool.watermark', 'spool.reserve'];
const STORE_FILES = ['store.db', 'store.db-wal'];

/**
 * Creates the data directory if it is missing.
 *
 * @throws DataDirError when it or one of its files cannot be used, which does not end by itself: without the store errors
 * would wait until they are too old.
 */
export function checkDataDir({
  dataDir: directory,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  try {
    mkdirSync(directory, { recursive: true, mode: DIRECTORY_MODE });
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new DataDirError(`${directory} is not a directory`, error);
    throw new DataDirError(`${directory} is not writable (${code})`, error);
  }
  const names = databaseUrl === null ? [...SPOOL_FILES, ...STORE_FILES] : SPOOL_FILES;
  for (const name of names) checkFile(join(directory, name));
}

/** Checks a file that may be missing. Opening a FIFO would wait for its other end without a limit. */
function checkFile(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return;
  if (!status.isFile()) {
    const kind = status.isFIFO() ? 'a FIFO' : 'not a file';
    throw new DataDirError(`${path} is ${kind}; move it away and start again`);
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new DataDirError(`${path} is not readable and writable (${codeOf(error)})`, error);
  }
}

function codeOf(error: unknown): string {
  return isNativeError(error) && 'code' in error ? String(error.code) : '';
}

function eventsOf(log: Log, metrics: Metrics): SpoolEvents {
  const count = countBy(metrics.spoolEvents, ['lost', 'corrupt', 'thread_death', 'write']);
  return {
    onMovedAside: (moved) => log.error(moved, moved.problem === null ? 'spool_rescued' : 'spool_moved_aside'),
    onLost: (envelopes) => {
      if (envelopes === null) return log.error({ file: 'spool.watermark' }, 'spool_watermark_damaged');
      count('lost', envelopes);
      log.fatal({ envelopes }, 'spool_lost_envelopes');
    },
    onCorrupt: (ids) => {
      count('corrupt', ids.length);
      log.error({ ids }, 'spool_corrupt_envelopes');
    },
    onThreadDeath: (err) => {
      count('thread_death');
      log.error({ err }, 'spool_thread_died');
    },
    onFault: (fault) => {
      count('write');
      log.error({ fault }, 'spool_write_failed');
    },
  };
}
