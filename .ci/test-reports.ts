/** The result of a runner, in one form for all runners. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One line for each failed test: its name and the first line of its message. */
  readonly failures: readonly string[];
}

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly { readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

/** Reads the report of `jest --json`. */
export function jestOutcome(report: unknown): Outcome {
  const jest = report as JestReport;
  const failures = jest.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [line(name, message)];
    return failed.map((test) => line(test.fullName, test.failureMessages[0]));
  });
  return {
    passed: jest.numPassedTests,
    failed: jest.numFailedTests + jest.numRuntimeErrorTestSuites,
    skipped: jest.numPendingTests + jest.numTodoTests,
    failures,
  };
}

/** Reads the report of Playwright's JSON reporter. */
export function playwrightOutcome(report: unknown): Outcome {
  const { suites, stats } = report as PlaywrightReport;
  const { expected, unexpected, flaky, skipped } = stats;
  return { passed: expected, failed: unexpected + flaky, skipped, failures: suites.flatMap(failuresOf) };
}

/** Reads the report of the fault experiments, which has this form already. */
export function faultsOutcome(report: unknown): Outcome {
  return report as Outcome;
}

function failuresOf(suite: PlaywrightSuite): readonly string[] {
  const own = suite.specs
    .filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'))
    .map(({ title, tests }) => {
      const results = tests.flatMap((test) => test.results);
      return line(
        `${suite.title} ${title}`,
        results.find(({ error }) => error !== undefined)?.error?.message,
      );
    });
  return [...own, ...(suite.suites ?? []).flatMap(failuresOf)];
}

function line(name: string, message = ''): string {
  const [first = ''] = message.split('\n').filter((each) => each.trim() !== '');
  return `${name}: ${first.trim()}`;
}
