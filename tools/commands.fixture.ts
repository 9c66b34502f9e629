import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end with nothing but the given environment and PATH. */
export async function run(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<Ended> {
  const [program, ...args] = command;
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...environment };
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Runs a command of this folder. */
export function runTool(name: string, environment: Readonly<Record<string, string>>): Promise<Ended> {
  return run([process.execPath, join(import.meta.dirname, name)], environment);
}
