import { isFull } from './spool-schema.ts';
import { SpoolFull } from './tables.ts';

/** Says what to do when the disk has no room even to open the spool. */
export function needRoom<T>(directory: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    if (!lacksRoom(cause)) throw cause;
    throw new Error(`The disk of ${directory} is full; make room on it and start again`, { cause });
  }
}

/** Does something that the disk may have no room for; then, after room was made, what is left to do. */
export function withRoom<T>(work: () => T, makeRoom: () => void, afterwards: () => T = work): T {
  try {
    return work();
  } catch (error) {
    if (!lacksRoom(error)) throw error;
    makeRoom();
    return afterwards();
  }
}

function lacksRoom(error: unknown): boolean {
  return isFull(error) || error instanceof SpoolFull;
}
