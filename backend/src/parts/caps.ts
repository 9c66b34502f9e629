/** Maximum sizes of the files on the volume of the data directory, and of the data in the store; bytes. */
export interface Caps {
  /** Events, issues and feedback in the store, in PostgreSQL, too. */
  readonly store: number;
  /** `store.db`; 0 with PostgreSQL. */
  readonly storeFile: number;
  /** Write-ahead log of `store.db`. */
  readonly storeLog: number;
  /** Source maps in the store. */
  readonly sourceMaps: number;
  /** Queued envelopes in `spool.db`. */
  readonly spool: number;
  /** Dead letters in `spool.db`. */
  readonly deadLetters: number;
}

/** Caps that fit the volume. */
export interface EffectiveCaps {
  readonly caps: Caps;
  readonly isLowered: boolean;
  /** Whether the volume has no room for the floors, so that the caps are below them. */
  readonly isTooSmall: boolean;
}

const MIB = 2 ** 20;

/** `store.db` has indexes, counters and free pages beside the data that retention counts. */
export const STORE_FILE_FACTOR = 2;
/** Share of the volume that the caps may add up to: file systems get slow above it, and other programs write logs. */
const VOLUME_SHARE = 0.95;
/**
 * Free space that the store needs for the largest event, 4 MiB (store/db/sqlite/sqlite-room.ts): with less it could never go
 * on by itself.
 */
const STORE_ROOM_BYTES = 36 * MIB;
/** Other data of the spool: index tables 16 MiB, write-ahead log 8 MiB, disk reserve 8 MiB. */
const SPOOL_OTHER_BYTES = 32 * MIB;
/** A spool of 32 MiB holds 10,000 errors of 3 KiB; a store needs twice that, as a file has indexes beside its data. */
const SPOOL_FLOOR = 32 * MIB;
const STORE_FILE_FLOOR = STORE_FILE_FACTOR * SPOOL_FLOOR;
/** A lowered cap leaves a part of this size for the log or source maps of the store, or for dead letters. */
const PART = 1 / 8;
/** Smallest share of the floors, for volumes below 80 MB: the empty databases fit into it. */
const MIN_FLOOR_SHARE = 1 / 8;

/**
 * Lowers caps until all files fit the volume: first the store, because retention makes room there without losing an
 * envelope, then the spool; below their floors both in the same proportion.
 *
 * @param availableBytes free space of the volume, and the size of Errata's own files on it.
 */
export function effectiveCaps(wanted: Caps, availableBytes: number): EffectiveCaps {
  const storeRoomBytes = wanted.storeFile === 0 ? 0 : STORE_ROOM_BYTES;
  const usableBytes = Math.min(availableBytes * VOLUME_SHARE, availableBytes - storeRoomBytes);
  const room = usableBytes - SPOOL_OTHER_BYTES;
  const wantedBytes = wanted.storeFile + wanted.storeLog + wanted.spool + wanted.deadLetters;
  if (wantedBytes <= room) return { caps: wanted, isLowered: false, isTooSmall: false };
  const storeFloor = Math.min(wanted.storeFile, STORE_FILE_FLOOR);
  const spoolFloor = Math.min(wanted.spool, SPOOL_FLOOR);
  const floorBytes = withPart(storeFloor, wanted.storeLog) + withPart(spoolFloor, wanted.deadLetters);
  if (floorBytes > room) {
    const share = Math.max(room / floorBytes, MIN_FLOOR_SHARE);
    const caps = lowered(wanted, storeFloor * share, spoolFloor * share);
    return { caps, isLowered: true, isTooSmall: true };
  }
  const storeFile = between(
    storeFloor,
    withoutPart(room - wanted.spool - wanted.deadLetters, wanted.storeLog),
    wanted.storeFile,
  );
  const spool = between(
    spoolFloor,
    withoutPart(room - withPart(storeFile, wanted.storeLog), wanted.deadLetters),
    wanted.spool,
  );
  return { caps: lowered(wanted, storeFile, spool), isLowered: true, isTooSmall: false };
}

function lowered(wanted: Caps, storeFile: number, spool: number): Caps {
  const isStoreLowered = storeFile < wanted.storeFile;
  return {
    store: isStoreLowered ? Math.floor(storeFile / STORE_FILE_FACTOR) : wanted.store,
    storeFile: Math.floor(storeFile),
    storeLog: partOf(storeFile, wanted.storeLog),
    sourceMaps: isStoreLowered ? partOf(storeFile, wanted.sourceMaps) : wanted.sourceMaps,
    spool: Math.floor(spool),
    deadLetters: partOf(spool, wanted.deadLetters),
  };
}

function partOf(bytes: number, wantedPart: number): number {
  return Math.min(wantedPart, Math.floor(bytes * PART));
}

function withPart(bytes: number, wantedPart: number): number {
  return bytes + Math.min(wantedPart, bytes * PART);
}

/** Inverse of {@link withPart}. */
function withoutPart(bytes: number, wantedPart: number): number {
  return Math.max(bytes / (1 + PART), bytes - wantedPart);
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
