import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { freeBytes } from '../sqlite/disk-space.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type Caps, effectiveCaps, STORE_FILE_FACTOR } from './caps.ts';
import type { ErrorReportingOptions } from './options.ts';

/**
 * Size at which the store's write-ahead log is checkpointed. An event changes some ten pages of indexes: at 16 MiB a flood
 * writes the same pages back after every few hundred events and is 10 % slower. A longer log would lose more when a bit in
 * it flips.
 */
const STORE_LOG_BYTES = 64 * 2 ** 20;
/** 1,000 dead letters of 64 KiB: more than an operator reads. */
const DEAD_LETTER_BYTES = 64 * 2 ** 20;

/** Files whose size Errata limits. Backups and files moved aside are not among them. */
const FILES = ['spool.db', 'spool.db-wal', 'spool.reserve', 'store.db', 'store.db-wal'];

/** Lowers the caps of the settings to what the volume has room for, logs lowered ones, and adds gauges of them. */
export function fitCaps({ config, log, metrics }: ErrorReportingOptions): Caps {
  const { dataDir } = config;
  const availableBytes = freeBytes(dataDir) + ownBytes(dataDir);
  const wanted = wantedCaps(config);
  const { caps, isLowered, isTooSmall } = effectiveCaps(wanted, availableBytes);
  if (isLowered) log.info({ availableBytes, wanted, effective: caps }, 'caps_lowered');
  if (isTooSmall) log.warn({ availableBytes }, 'volume_too_small');
  addVolumeGauges(metrics, dataDir, caps);
  return caps;
}

function wantedCaps(config: Config): Caps {
  const isEmbedded = config.databaseUrl === null;
  return {
    store: config.storeMaxBytes,
    storeFile: isEmbedded ? config.storeMaxBytes * STORE_FILE_FACTOR : 0,
    storeLog: isEmbedded ? STORE_LOG_BYTES : 0,
    sourceMaps: config.sourceMapsMaxBytes,
    spool: config.spoolMaxBytes,
    deadLetters: DEAD_LETTER_BYTES,
  };
}

function ownBytes(directory: string): number {
  return FILES.reduce(
    (bytes, name) => bytes + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Adds gauges of the caps and of the free space. */
export function addVolumeGauges(metrics: Metrics, directory: string, caps: Caps): void {
  const sizes = {
    store: caps.storeFile,
    store_log: caps.storeLog,
    spool: caps.spool,
    dead_letters: caps.deadLetters,
  };
  metrics.gauge(
    {
      name: 'errata_cap_bytes',
      help: 'Maximum sizes on the volume, after the volume lowered them',
      labels: ['of'],
    },
    () => Promise.resolve(Object.entries(sizes).map(([of, value]) => ({ labels: { of }, value }))),
  );
  metrics.gauge({ name: 'errata_volume_free_bytes', help: 'Free space of the volume', labels: [] }, () =>
    Promise.resolve([{ labels: {}, value: freeBytes(directory) }]),
  );
}
