import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Experiment } from './experiment.ts';
import type { Finding, Findings } from './findings.ts';
import type { Row } from './table.ts';

/** A message of an experiment's process to this one. */
export type ExperimentMessage =
  | { readonly kind: 'finding'; readonly finding: Finding }
  | { readonly kind: 'skipped'; readonly reason: string }
  | {
      readonly kind: 'end';
      readonly verdict: Findings['verdict'];
      readonly complaints: readonly string[];
    };

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs an experiment in a process of its own, so that a crash fails its row only: `program <id>`. Signals are passed on,
 * and the experiment cleans up before it ends.
 */
export async function performAlone(
  { id, fault, target }: Pick<Experiment, 'id' | 'fault' | 'target'>,
  program: string,
  seed: number,
  tell: (finding: Finding) => void,
): Promise<Row> {
  const startedAtMs = performance.now();
  const findings: Finding[] = [];
  const add = (finding: Finding): void => {
    findings.push(finding);
    tell(finding);
  };
  let end: Pick<Row, 'verdict' | 'complaints'> | undefined;
  const child = fork(program, [id], { env: { ...process.env, SEED: String(seed) } });
  child.on('message', (message: ExperimentMessage) => {
    if (message.kind === 'finding') return add(message.finding);
    if (message.kind === 'skipped') {
      end = { verdict: 'skipped' };
      return add({ text: message.reason, result: 'noted', isPart: false });
    }
    end = { verdict: message.verdict, complaints: message.complaints };
  });
  const pass = (signal: NodeJS.Signals): boolean => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  for (const each of SIGNALS) process.off(each, pass);
  if (end === undefined) {
    add({ text: `its process ended early with ${signal ?? `status ${code}`}`, result: 'bad', isPart: false });
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { id, fault, target, seed, findings, seconds, verdict: 'FAILED', ...end };
}
