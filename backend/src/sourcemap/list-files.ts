import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The only folder with a dot whose files are for clients (RFC 8615); it counts at the root alone. */
export const WELL_KNOWN = '.well-known';

/** Names of one folder by links: folders that all link to each other have more than can be listed. */
const MAX_LINKED_NAMES = 16;

/**
 * Lists the files below a folder, as paths relative to it with slashes. Skips every other name that begins with a dot: these
 * are secrets (`.env`) or metadata.
 *
 * Follows links, because Kubernetes builds a ConfigMap volume of links, and also out of the folder, because configuration
 * that is mounted elsewhere is linked. A link publishes its target: only trusted programs may write into the folder. A link
 * to a folder above itself is skipped. Node's own recursive list follows them in circles.
 *
 * @param hasBroken whether links without a target are listed, too.
 */
export function listFiles(root: string, hasBroken = false): readonly string[] {
  const files: string[] = [];
  const linkedNames = new Map<string, number>();
  const visit = (folder: string, above: readonly string[]): void => {
    const real = realpathSync(join(root, folder));
    if (above.includes(real)) return;
    const [parent] = above;
    if (parent !== undefined && real !== join(parent, basename(folder))) {
      const count = linkedNames.get(real) ?? 0;
      if (count === MAX_LINKED_NAMES) return;
      linkedNames.set(real, count + 1);
    }
    for (const name of readdirSync(real)) {
      if (name.startsWith('.') && !(folder === '' && name === WELL_KNOWN)) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const status = statusOf(join(root, path));
      if (status?.isDirectory() === true) visit(path, [real, ...above]);
      if (status?.isFile() ?? hasBroken) files.push(path);
    }
  };
  visit('', []);
  return files;
}

/** Returns undefined for a link without a target or to itself. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
