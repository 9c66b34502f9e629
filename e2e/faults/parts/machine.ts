import { spawnSync } from 'node:child_process';

/** Requirements of an experiment; each function returns the reason why the machine lacks it, or null. */

export function lacksRoot(): string | null {
  return process.getuid?.() === 0 ? null : 'needs root, to mount';
}

export function lacksProgram(...names: readonly string[]): string | null {
  const missing = names.filter(
    (name) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin command -v ${name}`]).status !== 0,
  );
  return missing.length === 0 ? null : `needs ${missing.join(' and ')}`;
}
