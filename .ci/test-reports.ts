import { stripVTControlCharacters } from 'node:util';

/** One failed test: all that a reader needs to find the cause. */
export interface Failure {
  readonly name: string;
  /** The whole message; all errors of a test that failed more than once. */
  readonly message: string;
  /** Everything the test printed; empty where the runner does not say. */
  readonly log: string;
  /** Selects this test alone; null: the failure is none of a single test. */
  readonly alone: Selection | null;
}

/** Arguments and environment that make a runner run one test. */
export interface Selection {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The result of a runner, in one form for all runners. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The reason of each skipped test. */
  readonly skips: readonly string[];
  readonly failures: readonly Failure[];
  /** Names of tests that passed at their second try; they count as passed. */
  readonly retried: readonly string[];
}

/** Tests that build or install: the only ones that may be tried twice. They carry this tag. */
const MAY_RETRY = 'machine';
/** More retried tests than this fail the run: one slow download is an accident, three are a defect. */
const MAX_RETRIED = 2;
/** Playwright's outcomes of a test. */
const KNOWN = new Set(['expected', 'unexpected', 'flaky', 'skipped']);

const OUTSIDE_OF_TESTS = '● Test suite failed to run';

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly JestFile[];
}

interface JestFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly PlaywrightSpec[];
}

interface PlaywrightSpec {
  readonly title: string;
  readonly file: string;
  readonly line: number;
  readonly tags: readonly string[];
  readonly tests: readonly {
    readonly status: string;
    readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    readonly results: readonly PlaywrightResult[];
  }[];
}

interface PlaywrightResult {
  readonly status: string;
  readonly errors: readonly {
    readonly message: string;
    readonly location?: { readonly file: string; readonly line: number };
  }[];
  readonly stdout: readonly { readonly text?: string }[];
  readonly stderr: readonly { readonly text?: string }[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  /** Errors outside of tests, such as a file that cannot be loaded. */
  readonly errors: readonly { readonly message?: string }[];
}

/** Reads the report of `jest --json`. @param output of Jest, which has the console output of each failed file. */
export function jestOutcome(report: unknown, output: string): Outcome {
  const jest = report as JestReport;
  const tests = jest.testResults.flatMap((file) => file.assertionResults.map((test) => ({ file, test })));
  const failed = tests.filter(({ test }) => test.status === 'failed');
  // An error outside of the tests: the file cannot be loaded, or an afterAll failed.
  const broken = jest.testResults.filter(
    (file) =>
      file.status === 'failed' &&
      (file.message.includes(OUTSIDE_OF_TESTS) || !failed.some((each) => each.file === file)),
  );
  return {
    passed: jest.numPassedTests,
    failed: Math.max(jest.numFailedTests + jest.numRuntimeErrorTestSuites, failed.length + broken.length),
    skips: tests
      .filter(({ test }) => test.status === 'pending' || test.status === 'todo')
      .map(({ test }) => `no reason given: ${test.fullName}`),
    failures: [
      ...failed.map(({ file, test }) => ({
        name: test.fullName,
        message: withoutLibraries(test.failureMessages.join('\n')),
        log: consoleOf(output, file.name),
        alone: {
          args: ['--runTestsByPath', file.name, '--testNamePattern', `^${literal(test.fullName)}$`],
          environment: {},
        },
      })),
      ...broken.map(({ name, message }) => ({
        name,
        // The failed tests come before it, and have entries of their own.
        message: withoutLibraries(message.slice(Math.max(0, message.indexOf(OUTSIDE_OF_TESTS)))),
        log: consoleOf(output, name),
        alone: { args: ['--runTestsByPath', name], environment: {} },
      })),
    ],
    retried: [],
  };
}

/** Returns an expression that matches just this text. */
function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

/** A message without colours and without the frames of libraries: Jest's own are the same in every stack. */
function withoutLibraries(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines.filter((line) => !/^\s+at .*(node_modules|node:internal)\//.test(line)).join('\n');
}

/** Returns the console output of a test file in the output of Jest: between its line FAIL and the first failed test. */
function consoleOf(output: string, file: string): string {
  const lines = output.split('\n');
  const start = lines.findIndex((line) => {
    const [, path] = /^FAIL (\S+)/.exec(line) ?? [];
    return path !== undefined && file.endsWith(path.replace(/^(\.{1,2}\/)+/, ''));
  });
  if (start < 0) return '';
  const length = lines.slice(start + 1).findIndex((line) => /^ {2}● (?!Console)|^(PASS|FAIL) /.test(line));
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join('\n')
    .trim();
}

/** Reads the report of Playwright's JSON reporter. A test that passed at its second try is failed without the tag. */
export function playwrightOutcome(report: unknown): Outcome {
  const { suites, errors } = report as PlaywrightReport;
  const all = suites.flatMap((suite) => specsOf(suite, ''));
  const having = (status: string): typeof all => all.filter((each) => each.status === status);
  const flaky = having('flaky');
  const retried = flaky.filter(({ spec }) => spec.tags.includes(MAY_RETRY));
  const isTooMany = retried.length > MAX_RETRIED;
  const failed = [
    ...all.filter(({ status }) => !KNOWN.has(status)),
    ...having('skipped').filter(wasStopped),
    ...having('unexpected'),
    ...flaky.filter(({ spec }) => isTooMany || !spec.tags.includes(MAY_RETRY)),
  ];
  return {
    passed: having('expected').length + (isTooMany ? 0 : retried.length),
    failed: failed.length + errors.length,
    skips: having('skipped')
      .filter((each) => !wasStopped(each))
      .map(({ name, reason }) => reason ?? `no reason given: ${name}`),
    failures: [
      ...failed.map(({ name, spec, results }) => failureOf(name, spec, results)),
      ...errors.map(({ message = '' }) => ({ name: 'outside of a test', message, log: '', alone: null })),
    ],
    retried: isTooMany ? [] : retried.map(({ name }) => name),
  };
}

/** A test that Playwright stopped counts as skipped in its report. */
function wasStopped({ results }: RunSpec): boolean {
  return results.some(({ status }) => status !== 'skipped');
}

interface RunSpec {
  readonly name: string;
  readonly spec: PlaywrightSpec;
  readonly status: string;
  readonly reason: string | undefined;
  readonly results: readonly PlaywrightResult[];
}

function specsOf({ title, specs, suites = [] }: PlaywrightSuite, path: string): readonly RunSpec[] {
  const name = `${path} ${title}`.trim();
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, results, annotations }) => ({
      name: `${name} ${spec.title}`,
      spec,
      status,
      reason: annotations.find(({ type }) => type === 'skip')?.description,
      results,
    })),
  );
  return [...own, ...suites.flatMap((suite) => specsOf(suite, name))];
}

function failureOf(
  name: string,
  { file, line }: PlaywrightSpec,
  results: readonly PlaywrightResult[],
): Failure {
  const result = results.find(({ errors }) => errors.length > 0) ?? results[0];
  const printed = [...(result?.stdout ?? []), ...(result?.stderr ?? [])];
  // A time limit has two errors: the limit, and the call that waited.
  const messages = (result?.errors ?? []).map(({ message, location }) =>
    location === undefined ? message : `${message}\n    at ${location.file}:${location.line}`,
  );
  return {
    name,
    message: stripVTControlCharacters(messages.join('\n\n')),
    log: printed
      .map(({ text = '' }) => text)
      .join('')
      .trim(),
    // The slash keeps other files out whose names end in this one's.
    alone: { args: [`/${file}:${line}`], environment: {} },
  };
}

/** Reads the report of the fault experiments. */
export function faultsOutcome(report: unknown): Outcome {
  const faults = report as Omit<Outcome, 'failures' | 'retried'> & {
    readonly failures: readonly (Omit<Failure, 'alone'> & { readonly id: string })[];
  };
  return {
    ...faults,
    failures: faults.failures.map(({ id, name, message, log }) => ({
      name: `${id} ${name}`,
      message,
      log,
      alone: { args: [], environment: { ONLY: id } },
    })),
    retried: [],
  };
}
