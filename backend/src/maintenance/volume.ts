import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { freeBytes } from '../sqlite/disk-space.ts';
import { fileSystemOf, networkFileSystem } from '../sqlite/network-file-system.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type Caps, effectiveCaps, type PresentBytes, type PresentCaps, STORE_FILE_FACTOR } from './caps.ts';

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

const ON_NETWORK =
  'SQLite cannot lock files there, and errors can be lost: use a local disk or block storage';

/** A raise by less than a tenth is not worth a line in the log each minute. */
const WORTHWHILE_RAISE = 1.1;

/** What sizes the files, and reports their caps. */
interface VolumeParts {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * The caps in effect: those of the settings, lowered to what the volume has room for. They are raised again when other
 * programs have left room on it, and never lowered while the process runs: a spool above its cap would drop acknowledged
 * envelopes.
 */
export class VolumeCaps implements PresentCaps {
  readonly #wanted: Caps;
  readonly #availableBytes: () => number;
  readonly #present: () => PresentBytes;
  readonly #log: Log;
  #current: Caps;

  /**
   * Logs caps that are lowered and a volume of another machine, and adds gauges of the caps and of the free space.
   *
   * @param free returns the free space of a directory's disk, bytes.
   * @param typeOf returns the number of a directory's file system.
   */
  constructor({ config, log, metrics }: VolumeParts, free = freeBytes, typeOf = fileSystemOf) {
    const { dataDir } = config;
    const fileSystem = networkFileSystem(typeOf(dataDir));
    if (fileSystem !== null)
      log.warn({ fileSystem, setting: 'ERRATA_DATA_DIR', problem: ON_NETWORK }, 'network_file_system');
    this.#wanted = wantedCaps(config);
    this.#availableBytes = () => free(dataDir) + ownBytes(dataDir);
    this.#present = () => ({
      storeFile: sizeOf(dataDir, 'store.db') + sizeOf(dataDir, 'store.db-wal'),
      spool: sizeOf(dataDir, 'spool.db') + sizeOf(dataDir, 'spool.db-wal'),
    });
    this.#log = log;
    const availableBytes = this.#availableBytes();
    const { caps, isLowered, isTooSmall } = effectiveCaps(this.#wanted, availableBytes, this.#present());
    this.#current = caps;
    if (isLowered) log.info({ availableBytes, wanted: this.#wanted, effective: caps }, 'caps_lowered');
    if (isTooSmall) log.warn({ availableBytes }, 'volume_too_small');
    addVolumeGauges(
      metrics,
      () => this.#current,
      () => free(dataDir),
    );
  }

  get current(): Caps {
    return this.#current;
  }

  /** Raises the caps to what the volume has room for now. @returns whether they have changed. */
  raise(): boolean {
    const availableBytes = this.#availableBytes();
    const { caps, isLowered } = effectiveCaps(this.#wanted, availableBytes, this.#present());
    const [before, after] = [sumOf(this.#current), sumOf(caps)];
    if (after <= before || (isLowered && after < before * WORTHWHILE_RAISE)) return false;
    this.#log.info({ availableBytes, wanted: this.#wanted, effective: caps }, 'caps_raised');
    this.#current = caps;
    return true;
  }
}

function sumOf({ storeFile, storeLog, spool, deadLetters }: Caps): number {
  return storeFile + storeLog + spool + deadLetters;
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
  return FILES.reduce((bytes, name) => bytes + sizeOf(directory, name), 0);
}

function sizeOf(directory: string, name: string): number {
  return statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
}

/** Adds gauges of the caps and of the free space. */
export function addVolumeGauges(metrics: Metrics, caps: () => Caps, free: () => number): void {
  const sizes = (): Readonly<Record<string, number>> => {
    const { storeFile, storeLog, spool, deadLetters } = caps();
    return { store: storeFile, store_log: storeLog, spool, dead_letters: deadLetters };
  };
  metrics.gauge(
    {
      name: 'errata_cap_bytes',
      help: 'Maximum sizes on the volume, after the volume lowered them',
      labels: ['of'],
    },
    () => Promise.resolve(Object.entries(sizes()).map(([of, value]) => ({ labels: { of }, value }))),
  );
  metrics.gauge({ name: 'errata_volume_free_bytes', help: 'Free space of the volume', labels: [] }, () =>
    Promise.resolve([{ labels: {}, value: free() }]),
  );
}
