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

/** The caps now: they rise when the volume has more room. */
export interface PresentCaps {
  readonly current: Caps;
}

/** Sizes of the files on the volume, bytes. SQLite's files never shrink: a cap below them would free nothing and only delete. */
export interface PresentBytes {
  /** `store.db`, with what its write-ahead log adds to it. */
  readonly storeFile: number;
  /** `spool.db`, the same. */
  readonly spool: number;
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
/** Retention counts rows at their longest, so that it counts up to 1.4 times the file; with a margin. */
const COUNTED_FACTOR = 2;
/** The spool counts whole pages for each envelope, up to 3 % more than its file. */
const QUEUED_FACTOR = 1.05;
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

const NOTHING: PresentBytes = { storeFile: 0, spool: 0 };

/**
 * Lowers caps until all files fit the volume: first the store, because retention makes room there without losing an
 * envelope, then the spool; below their floors both in the same proportion. No cap falls below what its file holds: other
 * programs that fill the volume must not delete what Errata has acknowledged or stored.
 *
 * @param availableBytes free space of the volume, and the size of Errata's own files on it.
 */
export function effectiveCaps(wanted: Caps, availableBytes: number, present = NOTHING): EffectiveCaps {
  const storeRoomBytes = wanted.storeFile === 0 ? 0 : STORE_ROOM_BYTES;
  const usableBytes = Math.min(availableBytes * VOLUME_SHARE, availableBytes - storeRoomBytes);
  const room = usableBytes - SPOOL_OTHER_BYTES;
  const wantedBytes = wanted.storeFile + wanted.storeLog + wanted.spool + wanted.deadLetters;
  if (wantedBytes <= room) return { caps: wanted, isLowered: false, isTooSmall: false };
  const storeFloor = Math.min(wanted.storeFile, Math.max(STORE_FILE_FLOOR, present.storeFile));
  const spoolFloor = Math.min(wanted.spool, Math.max(SPOOL_FLOOR, present.spool * QUEUED_FACTOR));
  const floorBytes = withPart(storeFloor, wanted.storeLog) + withPart(spoolFloor, wanted.deadLetters);
  if (floorBytes > room) {
    const share = Math.max(room / floorBytes, MIN_FLOOR_SHARE);
    const caps = lowered(wanted, storeFloor * share, spoolFloor * share, present);
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
  return { caps: lowered(wanted, storeFile, spool, present), isLowered: true, isTooSmall: false };
}

function lowered(wanted: Caps, storeShare: number, spoolShare: number, present: PresentBytes): Caps {
  const storeFile = between(present.storeFile, storeShare, wanted.storeFile);
  const spool = between(present.spool * QUEUED_FACTOR, spoolShare, wanted.spool);
  const isStoreLowered = storeFile < wanted.storeFile;
  return {
    store: isStoreLowered
      ? between(present.storeFile * COUNTED_FACTOR, storeFile / STORE_FILE_FACTOR, wanted.store)
      : wanted.store,
    storeFile,
    storeLog: partOf(storeFile, wanted.storeLog),
    sourceMaps: isStoreLowered
      ? between(present.storeFile, partOf(storeFile, wanted.sourceMaps), wanted.sourceMaps)
      : wanted.sourceMaps,
    spool,
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
  return Math.floor(Math.min(most, Math.max(least, value)));
}
