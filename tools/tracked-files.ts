import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Files below the given paths that git tracks or would track, and that exist. Run it in the project's root. */
export function trackedFiles(...paths: readonly string[]): readonly string[] {
  const command = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const listed = execFileSync('git', command, { encoding: 'utf8' }).split('\0');
  return listed.filter((path) => path !== '' && existsSync(path));
}
