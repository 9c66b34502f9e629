import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A program with its arguments, folder and additional environment. */
export interface Command {
  readonly words: readonly [string, ...(readonly string[])];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface Ended {
  /** Exit status, or the name of the signal that ended it. */
  readonly status: number | string;
  readonly seconds: number;
  /** Processor time of the program and all processes it waited for, s; null where the system does not say. */
  readonly cpuSeconds: number | null;
}

/** Ticks of /proc per second: USER_HZ, 100 on every Linux. */
const TICKS_PER_SECOND = 100;
/** Exit status of an interrupted program, as in shells. */
const INTERRUPTED = 130;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a program to its end and appends its output to a file. A terminal sends SIGINT to the program itself; SIGTERM is
 * passed on to it. After one of them this process ends, once the program did. A program that cannot be started has the
 * status of its error: `ENOENT`.
 */
export async function runCommand({ words, cwd, environment }: Command, log: string): Promise<Ended> {
  const [program, ...args] = words;
  const output = openSync(log, 'a');
  const startedAtMs = performance.now();
  const cpuBefore = cpuOfChildren();
  const env = { ...process.env, ...environment };
  // Not detached: Linux gives each session the same part of the machine, and a proof beside busy loops would be too mild.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', output, output] });
  closeSync(output);
  let isInterrupted = false;
  const pass = (signal: NodeJS.Signals): void => {
    isInterrupted = true;
    if (signal === 'SIGTERM') child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  const [code, signal] = (await once(child, 'exit').catch((error: NodeJS.ErrnoException) => [
    error.code ?? error.message,
    null,
  ])) as [number | string | null, string | null];
  for (const each of SIGNALS) process.off(each, pass);
  if (isInterrupted) process.exit(INTERRUPTED);
  const cpuAfter = cpuOfChildren();
  return {
    status: code ?? signal ?? 'a signal',
    seconds: (performance.now() - startedAtMs) / 1_000,
    cpuSeconds: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore,
  };
}

/** Processor time of all ended children and their children, s: `cutime` and `cstime` of proc(5). */
function cpuOfChildren(): number | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program may contain spaces; fields are counted after its closing bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}
