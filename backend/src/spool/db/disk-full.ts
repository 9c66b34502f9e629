import { isFull } from './spool-schema.ts';
import { SpoolFull } from './tables.ts';

/** Opens the spool; turns the error of a full disk into a message that says what to do. */
export function needRoom<T>(directory: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    if (!lacksRoom(cause)) throw cause;
    throw new Error(`The disk of ${directory} is full; make room on it and start again`, { cause });
  }
}

/** Runs `work`; on a full disk, makes room and runs `afterwards`, by default `work` again. */
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
