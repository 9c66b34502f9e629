import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A folder on disk; on many systems /tmp is in memory, where an fsync has no effect. */
const PARENT = '/var/tmp';

/** Resources of the machine that an experiment uses; released in reverse order when it ends or is interrupted. */
export class Scratch {
  readonly directory = mkdtempSync(join(PARENT, 'errata-faults-'));
  readonly #undo: (() => unknown)[] = [];
  #ending: Promise<void> | undefined;

  constructor() {
    this.later(() => rmSync(this.directory, { recursive: true, force: true }));
  }

  /** Adds a function that runs when the experiment ends. */
  later(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  /** Creates an empty directory in the experiment's own. */
  folder(name: string): string {
    const path = join(this.directory, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Mounts a file system in memory; root only. @param options of mount(8) for tmpfs: `size=16m`. */
  tmpfs(name: string, options: string): string {
    const path = this.folder(name);
    run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path);
    this.later(() => unmountAtLast(path));
    return path;
  }

  /** Releases everything, once; later calls wait for the first one. @throws the first failure, after all were tried. */
  end(): Promise<void> {
    this.#ending ??= this.#release();
    return this.#ending;
  }

  async #release(): Promise<void> {
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

/** Unmounts, even when an interrupted experiment has files open there: the mount ends when the last one is closed. */
export function unmountAtLast(path: string): void {
  run('umount', '--lazy', path);
}

/** Runs a system program and returns its output. @throws with its standard error when it fails. */
export function run(program: string, ...args: readonly string[]): string {
  const path = `${process.env['PATH']}:/usr/sbin:/sbin`;
  return execFileSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}
