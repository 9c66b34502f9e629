import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Longest run of a program, a download of 70 MB over a slow line included. */
const LIMIT_MS = 5 * 60_000;

export interface Ended {
  /** Null: the program could not be started, or a signal ended it. */
  readonly status: number | null;
  /** Standard output and standard error. */
  readonly output: string;
  readonly stdout: string;
}

/** Runs a program to its end; it is no error if it fails. */
export function run(program: string, args: readonly string[], cwd?: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, timeout: LIMIT_MS, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ status, stdout, output: `${stdout}${stderr}` });
    });
  });
}

/** Gives an empty folder to `use`, and removes it afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'errata-k8s-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
