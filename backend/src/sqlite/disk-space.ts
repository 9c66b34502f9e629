import { statfsSync } from 'node:fs';

/** Room that this process may still take on the disk of a directory, bytes. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
