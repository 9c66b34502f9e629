import { readSettings } from '../reporting/settings.ts';

/** Path below which the server serves everything, without a slash at its end; empty for none, and in the build. */
export const basePath: string =
  typeof document === 'undefined' ? '' : (readSettings(document)?.basePath ?? '');

/** Returns a path of the server as the browser must request it. @param path with a slash at its beginning. */
export function atServer(path: string): string {
  return basePath + path;
}
