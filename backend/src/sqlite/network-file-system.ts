import { statfsSync } from 'node:fs';

/** File systems of other machines by their numbers in statfs(2): linux/magic.h, and fs/smb of Linux. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'], // CIFS
  [0xfe534d42, 'SMB'], // SMB 2 and 3
]);

/**
 * Returns the name of a file system on which SQLite must not lie, or null. Its write-ahead log needs memory that all processes
 * share, and its locks are not reliable there.
 *
 * @see https://sqlite.org/useovernet.html
 */
export const networkFileSystem = (type: number): string | null => NAMES.get(type) ?? null;

/** Returns the number of the file system of a directory. */
export const fileSystemOf = (directory: string): number => statfsSync(directory).type;
