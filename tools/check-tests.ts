import { readFileSync } from 'node:fs';
import { comparedTimes } from './check-tests/clock.ts';
import { LEAST_LIMIT_MS, shortLimits } from './check-tests/limit.ts';
import { pickedPorts } from './check-tests/port.ts';
import { sleeps } from './check-tests/sleep.ts';
import { testHelpers } from './check-tests/test-helpers.ts';
import { parse, type Node } from './check-tests/tree.ts';
import { type Rule, TIMING_EXCEPTIONS, type TimingException } from './timing-exceptions.ts';
import { trackedFiles } from './tracked-files.ts';

/**
 * Refuses what makes the verdict of a test depend on the load of the machine: a comparison with the time that passed, a
 * sleep, a time limit below the watchdog, and a port that is picked now and used later. CONTRIBUTING.md says what to write
 * in their place. timing-exceptions.ts lists the places that need one, with their reasons.
 */

export interface Fault {
  readonly line: number;
  readonly rule: Rule;
  readonly text: string;
}

const TEST =
  /\.(spec|suite|fixture)\.[cm]?[jt]sx?$|\/test\/.*\.[cm]?[jt]s$|^e2e\/.*\.[cm]?[jt]s$|^\w+\/jest(\/|\.config\.)/;

const SOURCE = /\.[cm]?[jt]sx?$/;

const RULES: Record<Rule, readonly [find: (program: Node) => readonly Node[], text: string]> = {
  clock: [comparedTimes, 'compares with the time that passed'],
  sleep: [sleeps, 'sleeps: wait for a condition, or inject the timer'],
  limit: [shortLimits, `a time limit below ${LEAST_LIMIT_MS / 1_000} s`],
  port: [pickedPorts, 'a free port can be taken before it is used: listen on 0'],
};

/** Lists the faults of a test file. @throws SyntaxError never: a file that cannot be parsed is left to the compiler. */
export function checkTest(file: string, content: string): readonly Fault[] {
  const program = parse(file, content);
  const lineOf = ({ start }: Node): number => content.slice(0, start).split('\n').length;
  return (['clock', 'sleep', 'limit', 'port'] as const).flatMap((rule) => {
    const [find, text] = RULES[rule];
    return find(program).map((node) => ({ line: lineOf(node), rule, text }));
  });
}

/** The files that are checked: tests, and the plain files that only tests import. */
export function testFiles(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const helpers = testHelpers(sources, (file) => TEST.test(file));
  return new Map([...sources].filter(([file]) => TEST.test(file) || helpers.has(file)));
}

/** Lists the faults of all files that no exception covers, and the exceptions that cover nothing. */
export function checkTests(
  files: ReadonlyMap<string, string>,
  exceptions: readonly TimingException[],
): readonly string[] {
  const left = new Map(exceptions.map((each) => [`${each.rule} ${each.file}`, each]));
  const lines: string[] = [];
  for (const [file, text] of files) {
    for (const [rule, faults] of Map.groupBy(checkTest(file, text), (fault) => fault.rule)) {
      const allowed = left.get(`${rule} ${file}`)?.count ?? 0;
      if (faults.length <= allowed) {
        if (faults.length === allowed) left.delete(`${rule} ${file}`);
        continue;
      }
      left.delete(`${rule} ${file}`);
      const note = allowed === 0 ? '' : ` (${faults.length} of them, timing-exceptions.ts allows ${allowed})`;
      lines.push(...faults.map((fault) => `${file}:${fault.line}: ${fault.rule}: ${fault.text}${note}`));
    }
  }
  return [...lines, ...[...left.keys()].map((key) => `timing-exceptions.ts: out of date: ${key}`)];
}

if (import.meta.main) {
  const sources = trackedFiles('.').filter((path) => SOURCE.test(path));
  const files = testFiles(new Map(sources.map((path) => [path, readFileSync(path, 'utf8')])));
  const faults = checkTests(files, TIMING_EXCEPTIONS);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
