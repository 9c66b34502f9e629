import { statfsSync } from 'node:fs';

/** Returns the bytes that this process can still write to the disk of a directory. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
