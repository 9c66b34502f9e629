import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The verdicts by exit status; none is one by which Node itself ends. */
const VERDICTS = { passed: 42, FAILED: 43, unmeasured: 44, skipped: 45 } as const;
export type Verdict = keyof typeof VERDICTS;

/** The result of one experiment. */
export interface Result {
  readonly verdict: Verdict;
  /** What it printed: its findings, and the last log lines of a failed one. */
  readonly lines: readonly string[];
  readonly seconds: number;
}

/** The exit status by which the process of an experiment says its verdict. */
export function statusOf(verdict: Verdict): number {
  return VERDICTS[verdict];
}

/**
 * Runs an experiment in a process of its own, so that a crash fails it only: `program <id>`. Signals are passed on, and
 * the experiment cleans up before it ends.
 */
export async function performAlone(
  program: string,
  id: string,
  environment: Readonly<Record<string, string>>,
  print: (line: string) => void = () => undefined,
): Promise<Result> {
  const startedAtMs = performance.now();
  const lines: string[] = [];
  const take = (line: string): void => {
    lines.push(line);
    print(line);
  };
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [program, id], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  createInterface({ input: child.stdout }).on('line', take);
  createInterface({ input: child.stderr }).on('line', take);
  const pass = (signal: NodeJS.Signals): boolean => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  for (const each of ['SIGINT', 'SIGTERM'] as const) process.off(each, pass);
  const known = Object.entries(VERDICTS).find(([, status]) => status === code)?.[0] as Verdict | undefined;
  if (known === undefined) take(`NOT its process ended early with ${signal ?? `status ${code}`}`);
  return { verdict: known ?? 'FAILED', lines, seconds: (performance.now() - startedAtMs) / 1_000 };
}
