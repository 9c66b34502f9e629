import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch } from './scratch.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** One change of a compiled file that breaks a guard. */
export interface Patch {
  /** Path below backend/dist. */
  readonly file: string;
  /** A global expression. It must match code, not only a comment, which the compiler keeps. */
  readonly pattern: RegExp;
  readonly replacement: string;
}

/**
 * Makes a copy of the build with a broken guard and returns its `root`: the product needs no switch for it.
 *
 * @throws when a patch no longer matches, because a control that breaks nothing proves nothing.
 */
export function brokenCopy(scratch: Scratch, name: string, patches: readonly Patch[]): string {
  const root = scratch.folder(name);
  const backend = scratch.folder(join(name, 'backend'));
  cpSync(join(ROOT, 'backend', 'dist'), join(backend, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'backend', 'package.json'), join(backend, 'package.json'));
  for (const link of ['node_modules', 'frontend', join('backend', 'node_modules')]) {
    if (existsSync(join(ROOT, link))) symlinkSync(join(ROOT, link), join(root, link));
  }
  for (const { file, pattern, replacement } of patches) {
    const path = join(backend, 'dist', file);
    const before = readFileSync(path, 'utf8');
    const after = before.replaceAll(pattern, replacement);
    if (after === before)
      throw new Error(`the patch ${pattern} matches nothing in ${file}; adapt the control`);
    writeFileSync(path, after);
  }
  return root;
}
