import { realpathSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { clientFileStatus } from './compressed-only.ts';

/** A folder of a client as it is at one time. */
export interface ClientLook {
  /** The folder without links: a deploy may swap a link. */
  readonly root: string;
  /** Differs where index.html or the names in a folder have changed. */
  readonly version: string;
  /** Time of the last change, in ms. */
  readonly changedMs: number;
}

/** A look at so many folders takes some 2 ms. In a client with more, a change in the others counts with index.html. */
const MAX_FOLDERS = 1_000;

/**
 * Looks at index.html, and at the folders whose names a build changes. Returns undefined while there is no index.html with
 * content: a build removes or empties the file before it writes it.
 *
 * @param folders below the folder of the client.
 */
export function lookAtClient(clientDir: string, folders: readonly string[]): ClientLook | undefined {
  try {
    const root = realpathSync(clientDir);
    const index = clientFileStatus(root, 'index.html');
    if (index?.isFile() !== true || index.size === 0) return undefined;
    const statuses = [
      index,
      ...folders
        .slice(0, MAX_FOLDERS)
        .map((folder) => statSync(join(root, folder), { throwIfNoEntry: false })),
    ];
    const version = [root, ...statuses.map(versionOf)].join('\n');
    return { root, version, changedMs: Math.max(...statuses.map((status) => status?.ctimeMs ?? 0)) };
  } catch {
    // The folder or a link to it is away.
    return undefined;
  }
}

/** Returns all folders above the files, the shortest paths first. @param paths of all files below the root. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = paths.flatMap((path) =>
    path.split('/').map((_, index, names) => names.slice(0, index).join('/')),
  );
  return [...new Set(['', ...folders])].toSorted((one, other) => one.length - other.length);
}

/** A copy may keep size and modification time of a file, but not its change time and inode. */
function versionOf(status: Stats | undefined): string {
  return status === undefined ? '' : `${status.mtimeMs} ${status.ctimeMs} ${status.size} ${status.ino}`;
}
