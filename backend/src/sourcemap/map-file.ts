import { readFile, stat } from 'node:fs/promises';

/** What a map's name has behind its script's, where both lie side by side. */
export const MAP_SUFFIX = '.map';
/** A larger map would take more memory than the thread has. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Null when there is no such file, or it cannot be read. */
export async function readText(file: string): Promise<string | null> {
  try {
    const status = await stat(file);
    return status.isFile() && status.size <= MAX_BYTES ? await readFile(file, 'utf8') : null;
  } catch {
    return null;
  }
}
