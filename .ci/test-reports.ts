import { stripVTControlCharacters } from 'node:util';

/** One failed test: all that a reader needs to find the cause. */
export interface Failure {
  readonly name: string;
  /** The whole message; all errors of a test that failed more than once. */
  readonly message: string;
  /** Everything the test printed; empty where the runner does not say. */
  readonly log: string;
  /** Selects this test alone (Step.command); null: the failure is none of a single test. */
  readonly alone: readonly string[] | null;
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
const OUTSIDE_OF_TESTS = '● Test suite failed to run';
/** Characters with a meaning in regular expressions. */
const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

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

/** Reads the report of `jest --json`. @param output of Jest, which has the console output of each failed file. */
export function jestOutcome(report: unknown, output: string): Outcome {
  const { numPassedTests, testResults } = report as {
    readonly numPassedTests: number;
    readonly testResults: readonly JestFile[];
  };
  const failures = testResults.flatMap((file) => (file.status === 'failed' ? failuresOf(file, output) : []));
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending' || status === 'todo');
  const skips = skipped.map(({ fullName }) => `no reason given: ${fullName}`);
  return { passed: numPassedTests, failed: failures.length, skips, failures, retried: [] };
}

function failuresOf({ name, message, assertionResults }: JestFile, output: string): readonly Failure[] {
  const log = consoleOf(output, name);
  const alone = ['--runTestsByPath', name];
  const failed: Failure[] = assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      name: fullName,
      message: withoutLibraries(failureMessages.join('\n')),
      log,
      alone: [...alone, '--testNamePattern', `^${fullName.replaceAll(SPECIAL, String.raw`\$&`)}$`],
    }));
  // An error outside of the tests: the file cannot be loaded, or an afterAll failed. Failed tests come before it.
  const outside = message.indexOf(OUTSIDE_OF_TESTS);
  if (outside >= 0 || failed.length === 0)
    failed.push({ name, message: withoutLibraries(message.slice(Math.max(0, outside))), log, alone });
  return failed;
}

/** A message without colours and without the frames of libraries: Jest's own are the same in every stack. */
function withoutLibraries(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines.filter((line) => !/^\s+at .*(node_modules|node:internal)\//.test(line)).join('\n');
}

/** Returns the console output of a test file in the output of Jest: between its line FAIL and the first failed test. */
function consoleOf(output: string, file: string): string {
  const section = output.split(/^(?=PASS |FAIL )/m).find((text) => {
    const path = /^FAIL (\S+)/.exec(text)?.[1];
    return path !== undefined && file.endsWith(path.replace(/^(\.{1,2}\/)+/, ''));
  });
  const [printed = ''] = (section ?? '').replace(/.*/, '').split(/^ {2}● (?!Console)/m);
  return printed.trim();
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tags: readonly string[];
    readonly tests: readonly PlaywrightTest[];
  }[];
}

interface PlaywrightTest {
  readonly status: string;
  readonly annotations: readonly { readonly type: string; readonly description?: string }[];
  readonly results: readonly {
    readonly status: string;
    readonly errors: readonly {
      readonly message: string;
      readonly location?: { readonly file: string; readonly line: number };
    }[];
    readonly stdout: readonly { readonly text?: string }[];
    readonly stderr: readonly { readonly text?: string }[];
  }[];
}

type NamedTest = PlaywrightTest &
  Pick<PlaywrightSuite['specs'][number], 'tags'> &
  Pick<Failure, 'name' | 'alone'>;

/** Reads the report of Playwright's JSON reporter. A test that passed at its second try is failed without the tag. */
export function playwrightOutcome(report: unknown): Outcome {
  const { suites, errors } = report as {
    readonly suites: readonly PlaywrightSuite[];
    /** Errors outside of tests, such as a file that cannot be loaded. */
    readonly errors: readonly { readonly message?: string }[];
  };
  const all = suites.flatMap((suite) => testsOf(suite, ''));
  const expected = all.filter(({ status }) => status === 'expected');
  const flaky = all.filter(({ status, tags }) => status === 'flaky' && tags.includes(MAY_RETRY));
  const retried = flaky.length > MAX_RETRIED ? [] : flaky;
  // A test that Playwright stopped counts as skipped in its report.
  const skipped = all.filter(
    ({ status, results }) => status === 'skipped' && results.every((result) => result.status === 'skipped'),
  );
  const good = new Set([...expected, ...retried, ...skipped]);
  const failures = [
    ...all.filter((test) => !good.has(test)).map(failureOf),
    ...errors.map(({ message = '' }) => ({ name: 'outside of a test', message, log: '', alone: null })),
  ];
  const reasonOf = ({ name, annotations }: NamedTest): string =>
    annotations.find(({ type }) => type === 'skip')?.description ?? `no reason given: ${name}`;
  return {
    passed: expected.length + retried.length,
    failed: failures.length,
    skips: skipped.map(reasonOf),
    failures,
    retried: retried.map(({ name }) => name),
  };
}

function testsOf({ title, specs, suites = [] }: PlaywrightSuite, path: string): readonly NamedTest[] {
  const above = `${path} ${title}`.trim();
  const own = specs.flatMap(({ tests, tags, file, line, title: name }) =>
    // The slash keeps other files out whose names end in this one's.
    tests.map((test) => ({ ...test, tags, name: `${above} ${name}`, alone: [`/${file}:${line}`] })),
  );
  return [...own, ...suites.flatMap((suite) => testsOf(suite, above))];
}

function failureOf({ name, alone, results }: NamedTest): Failure {
  const none = { errors: [], stdout: [], stderr: [] };
  const { errors, stdout, stderr } = results.find((each) => each.errors.length > 0) ?? results[0] ?? none;
  // A time limit has two errors: the limit, and the call that waited.
  const messages = errors.map(({ message, location }) =>
    location === undefined ? message : `${message}\n    at ${location.file}:${location.line}`,
  );
  const log = [...stdout, ...stderr].map(({ text = '' }) => text).join('');
  return { name, message: stripVTControlCharacters(messages.join('\n\n')), log: log.trim(), alone };
}

/** Reads the report of the fault experiments. */
export function faultsOutcome(report: unknown): Outcome {
  const faults = report as Omit<Outcome, 'failures'> & {
    readonly failures: readonly (Failure & { readonly id: string })[];
  };
  const failures = faults.failures.map(({ id, name, message, log }) => {
    return { name: `${id} ${name}`, message, log, alone: [`ONLY=${id}`] };
  });
  return { ...faults, failures, retried: [] };
}
