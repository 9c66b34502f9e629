import type { Outcome } from '../../.ci/test-reports.ts';

/** One check, with a line for each problem that it found. */
export interface Check {
  readonly name: string;
  readonly problems: readonly string[];
}

export interface Part {
  /** Ends the line with its total: `10 of 10 alerts fire`. */
  readonly total: string;
  readonly checks: readonly Check[];
}

/** What a part of `make k8s` found, and whether it finds planted faults. */
export interface Result {
  readonly part: Part;
  readonly trials: readonly Check[];
}

/** The check that a planted fault is found. */
export const trialOf = (fault: string, isFound: boolean): Check => ({
  name: `planted fault ${fault}`,
  problems: isFound ? [] : ['not found'],
});

const failedOf = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ problems }) => problems.length > 0);

/** Lines for a terminal: problems first, the totals last. @param skips parts that did not run, and what to install for them */
export function linesOf(parts: readonly Part[], skips: readonly string[]): readonly string[] {
  return [
    ...parts.flatMap(({ checks }) =>
      checks.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`)),
    ),
    ...skips.map((skip) => `SKIPPED ${skip}`),
    ...parts.map(
      ({ total, checks }) => `${checks.length - failedOf(checks).length} of ${checks.length} ${total}`,
    ),
  ];
}

/** The same for `make test`. */
export function outcomeOf(parts: readonly Part[], skips: readonly string[]): Outcome {
  const checks = parts.flatMap((part) => part.checks);
  const failed = failedOf(checks);
  return {
    passed: checks.length - failed.length,
    failed: failed.length,
    skips,
    failures: failed.map(({ name, problems }) => ({
      name,
      message: problems.join('\n'),
      log: '',
      alone: null,
    })),
    retried: [],
  };
}
