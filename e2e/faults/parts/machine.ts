import { spawnSync } from 'node:child_process';

/** What an experiment needs of the machine; each answers why not, or null. */

export function lacksRoot(): string | null {
  return process.getuid?.() === 0 ? null : 'needs root, to mount';
}

export function lacksProgram(...names: readonly string[]): string | null {
  const missing = names.filter(
    (name) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin command -v ${name}`]).status !== 0,
  );
  return missing.length === 0 ? null : `needs ${missing.join(' and ')}`;
}
