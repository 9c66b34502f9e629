import { join } from 'node:path';

/** Returns the option of Node that loads a module of `preload/` into Errata. */
export function preload(
  name: 'block-loop' | 'end-spool-thread' | 'hide-name' | 'patient-pages' | 'shift-clock',
): string {
  return `--import=${join(import.meta.dirname, '..', 'preload', `${name}.ts`)}`;
}
