import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** On a disk everywhere; /tmp is memory on many systems, where an fsync means nothing. */
const PARENT = '/var/tmp';

/** What an experiment takes of the machine, given back in reverse order when it ends, however it ends. */
export class Scratch {
  readonly directory = mkdtempSync(join(PARENT, 'errata-faults-'));
  readonly #undo: (() => unknown)[] = [];

  constructor() {
    this.later(() => rmSync(this.directory, { recursive: true, force: true }));
  }

  /** Runs when the experiment has ended. */
  later(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  /** An empty directory below the own one. */
  folder(name: string): string {
    const path = join(this.directory, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** A file system in memory, as small as wanted; root only. @param options of mount(8) for tmpfs: `size=16m`. */
  tmpfs(name: string, options: string): string {
    const path = this.folder(name);
    run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path);
    this.later(() => unmountAtLast(path));
    return path;
  }

  /** Gives everything back, once. @throws the first failure, when all was tried. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (const undo of this.#undo.splice(0).toReversed()) {
      try {
        await undo();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Also when an experiment that was cut short still has files open there: the mount goes with the last of them. */
export function unmountAtLast(path: string): void {
  run('umount', '--lazy', path);
}

/** Runs a program of the system. @throws with what it wrote to standard error when it fails. */
export function run(program: string, ...args: readonly string[]): string {
  const path = `${process.env['PATH']}:/usr/sbin:/sbin`;
  return execFileSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}
