import { tmpdir } from 'node:os';
import { runSteps } from '../.ci/run-steps.ts';
import type { Step } from '../.ci/steps.ts';
import { faultsOutcome, jestOutcome, type Outcome, playwrightOutcome } from '../.ci/test-reports.ts';

/** A runner: a script that may `write` a report, and exits. */
function runner(name: string, script: string, read: (report: unknown, output: string) => Outcome): Step {
  const write =
    "const write = (report) => require('fs').writeFileSync(process.env.REPORT, JSON.stringify(report));";
  return {
    name,
    words: [process.execPath, '-e', `${write}${script}`],
    cwd: tmpdir(),
    environment: {},
    report: { args: () => [], environment: (file) => ({ REPORT: file }), read },
  };
}

const jestFile = (status: string, message = ''): object => ({
  name: '/p/backend/src/a.spec.ts',
  status: status === 'failed' ? 'failed' : 'passed',
  message: '',
  assertionResults: [
    { status, fullName: 'adds (two) numbers', failureMessages: message === '' ? [] : [message] },
  ],
});

function jestReport(status: string, message = ''): object {
  return {
    numPassedTests: status === 'passed' ? 1 : 0,
    numFailedTests: status === 'failed' ? 1 : 0,
    numRuntimeErrorTestSuites: 0,
    testResults: [jestFile(status, message)],
  };
}

interface Spec {
  readonly title: string;
  readonly status: string;
  readonly tags?: readonly string[];
  readonly reason?: string;
  readonly messages?: readonly string[];
  /** Status of its only result; by default one that fits. */
  readonly result?: string;
}

function playwrightReport(...specs: readonly Spec[]): object {
  return {
    errors: [],
    suites: [
      {
        title: 'host.e2e.ts',
        specs: specs.map(({ title, status, tags = [], reason, messages = [], result }) => ({
          title,
          file: 'host.e2e.ts',
          line: 7,
          tags,
          tests: [
            {
              status,
              annotations: reason === undefined ? [] : [{ type: 'skip', description: reason }],
              results: [
                {
                  status: result ?? (status === 'skipped' ? 'skipped' : 'passed'),
                  errors: messages.map((message) => ({
                    message,
                    location: { file: 'host.e2e.ts', line: 9 },
                  })),
                  stdout: [{ text: 'printed by the test\n' }],
                  stderr: [],
                },
              ],
            },
          ],
        })),
      },
    ],
  };
}

async function run(
  ...steps: readonly Step[]
): Promise<{ readonly isGreen: boolean; readonly lines: readonly string[] }> {
  let output = '';
  const isGreen = await runSteps(steps, (text) => (output += text));
  return { isGreen, lines: output.trimEnd().split('\n') };
}

describe('make test', () => {
  it('prints one line for each step of a green run, independent of the output of the runners, and the totals last', async () => {
    const noisy = `for (let n = 0; n < 500; n += 1) console.error('a warning'); write(${JSON.stringify(jestReport('passed'))});`;

    const { isGreen, lines } = await run(
      runner('backend', noisy, jestOutcome),
      runner('frontend', noisy, jestOutcome),
    );

    expect(isGreen).toBe(true);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^backend +1 passed, 0 failed, 0 skipped +\d+ s/);
    expect(lines[2]).toMatch(/^all in \d+ s, 0 retried$/);
    expect(lines[3]).toBe('2 passed, 0 failed, 0 skipped');
  });

  it('prints the whole message and the console output of a failed test, and runs it once more alone', async () => {
    const report = JSON.stringify(jestReport('failed', 'expected 2\nreceived 3'));
    const script = `
      console.log('PASS src/b.spec.ts\\n  another file\\nFAIL src/a.spec.ts\\n  console.log\\n    the log of a\\n\\n  ● adds (two) numbers\\n');
      write(${report}); process.exit(1);`;

    const { isGreen, lines } = await run(runner('backend', script, jestOutcome));

    const text = lines.join('\n');
    expect(isGreen).toBe(false);
    expect(text).toContain('backend: adds (two) numbers\n  expected 2\n  received 3\n');
    expect(text).toContain('the log of a');
    expect(text).not.toContain('another file');
    expect(lines.at(-3)).toBe('FAILED again backend: adds (two) numbers: expected 2');
    expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
  });

  it('says that a failed test passed alone, and fails the run all the same', async () => {
    const script = `
      const isAlone = process.argv.includes('--testNamePattern');
      write(isAlone ? ${JSON.stringify(jestReport('passed'))} : ${JSON.stringify(jestReport('failed', 'late'))});
      process.exit(isAlone ? 0 : 1);`;
    const step = runner('backend', script, jestOutcome);
    const words = [process.execPath, ...step.words.slice(1), '--'] as const;

    const { isGreen, lines } = await run({ ...step, words });

    expect(isGreen).toBe(false);
    expect(lines).toContain('FAILED, passed alone backend: adds (two) numbers: late');
  });

  it('fails a step that crashes, finds no tests or writes no report', async () => {
    const crashed = runner(
      'backend',
      `write(${JSON.stringify(jestReport('passed'))}); process.exit(3);`,
      jestOutcome,
    );
    const silent = runner('frontend', `console.log('cannot start');`, jestOutcome);

    const { isGreen, lines } = await run(crashed, silent);

    expect(isGreen).toBe(false);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([
      expect.stringMatching(/^FAILED backend: .*: ended with 3$/),
      expect.stringMatching(/^FAILED frontend: .*: wrote no report and ended with 0$/),
    ]);
    expect(lines.join('\n')).toContain('cannot start');
  });

  it('fails a step that ran no test, whose report cannot be read, or whose program is missing', async () => {
    const nothing = { ...jestReport('passed'), numPassedTests: 0, testResults: [] };
    const missing = runner('faults', '', faultsOutcome);

    const { isGreen, lines } = await run(
      runner('backend', `write(${JSON.stringify(nothing)});`, jestOutcome),
      runner('e2e', 'write(null);', playwrightOutcome),
      { ...missing, words: ['/no/such/program'] },
    );

    expect(isGreen).toBe(false);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([
      expect.stringMatching(/ran no test$/),
      expect.stringMatching(/wrote no report and ended with 0$/),
      expect.stringMatching(/wrote no report and ended with ENOENT$/),
    ]);
    expect(lines.at(-1)).toBe('0 passed, 3 failed, 0 skipped');
  });

  it('prints one line for each reason to skip', async () => {
    const reason = 'needs Chromium (CHROMIUM)';
    const skipped = ['a', 'b', 'c'].map((title) => ({ title, status: 'skipped', reason }));
    const report = playwrightReport(...skipped, { title: 'd', status: 'expected' });

    const { lines } = await run(runner('e2e', `write(${JSON.stringify(report)});`, playwrightOutcome));

    expect(lines.filter((line) => line.startsWith('SKIPPED'))).toEqual([`SKIPPED 3 of e2e: ${reason}`]);
    expect(lines.at(-1)).toBe('1 passed, 0 failed, 3 skipped');
  });
});

describe('the outcome of Playwright', () => {
  const flaky = (title: string, ...tags: readonly string[]): Spec => ({
    title,
    status: 'flaky',
    tags,
    messages: ['slow'],
  });

  it('counts a retried test of the class that builds as passed, and names it', () => {
    const { passed, failed, retried } = playwrightOutcome(playwrightReport(flaky('builds', 'machine')));

    expect([passed, failed, retried]).toEqual([1, 0, ['host.e2e.ts builds']]);
  });

  it('counts any other retried test as failed', () => {
    const { passed, failed, failures } = playwrightOutcome(playwrightReport(flaky('clicks')));

    expect([passed, failed, failures[0]?.message]).toEqual([0, 1, 'slow\n    at host.e2e.ts:9']);
  });

  it('fails all retried tests when there are more than two', () => {
    const specs = ['a', 'b', 'c'].map((title) => flaky(title, 'machine'));

    const { passed, failed, retried } = playwrightOutcome(playwrightReport(...specs));

    expect([passed, failed, retried]).toEqual([0, 3, []]);
  });

  it('selects a failed test by its file and line, and has its output', () => {
    const report = playwrightReport({ title: 'x', status: 'unexpected', messages: ['no'] });

    expect(playwrightOutcome(report).failures[0]).toEqual({
      name: 'host.e2e.ts x',
      message: 'no\n    at host.e2e.ts:9',
      log: 'printed by the test',
      alone: { args: ['/host.e2e.ts:7'], environment: {} },
    });
  });

  it('has all errors of a test without colours: the first is only the time limit', () => {
    const messages = ['\u001B[31mTest timeout of 120000ms exceeded.\u001B[39m', 'waiting for getByText'];
    const [failure] = playwrightOutcome(
      playwrightReport({ title: 'x', status: 'unexpected', messages }),
    ).failures;

    expect(failure?.message).toMatch(/^Test timeout of 120000ms exceeded\.[^]*waiting for getByText/);
  });

  it('counts a stopped test as failed, which Playwright counts as skipped', () => {
    const stopped = playwrightReport({ title: 'x', status: 'skipped', result: 'interrupted' });
    const unknown = playwrightReport({ title: 'y', status: 'paused' });

    expect([playwrightOutcome(stopped), playwrightOutcome(unknown)]).toMatchObject([
      { failed: 1, skips: [] },
      { failed: 1, skips: [] },
    ]);
  });
});

describe('the outcome of Jest', () => {
  it('counts and names an error outside of the tests of a file that has a failed test', () => {
    const file = {
      ...jestFile('failed', 'in the test'),
      message: '  ● a failed test\n\n  ● Test suite failed to run\n\n    in afterAll',
    };
    const outcome = jestOutcome({ ...jestReport('failed'), testResults: [file] }, '');

    expect(outcome.failed).toBe(2);
    expect(outcome.failures.map(({ message }) => message)).toEqual([
      'in the test',
      '● Test suite failed to run\n\n    in afterAll',
    ]);
  });

  it('has the output of a file in the root of a workspace, and no frames of libraries', () => {
    const stack =
      'late\n    at Object.<anonymous> (a.spec.ts:3:5)\n    at run (/p/node_modules/jest-circus/build/run.js:9:1)';
    const output = 'FAIL ./a.spec.ts\n  console.log\n    the log of a\n\n  ● adds (two) numbers\n';
    const report = {
      ...jestReport('failed'),
      testResults: [{ ...jestFile('failed', stack), name: '/p/tools/a.spec.ts' }],
    };

    expect(jestOutcome(report, output).failures[0]).toMatchObject({
      message: 'late\n    at Object.<anonymous> (a.spec.ts:3:5)',
      log: 'console.log\n    the log of a',
    });
  });
});

describe('the outcome of the fault experiments', () => {
  it('selects a failed experiment by its ID', () => {
    const failures = [{ id: 'F8', name: 'disk full', message: 'alive NOT', log: '{"level":"error"}' }];

    const outcome = faultsOutcome({ passed: 3, failed: 1, skips: ['needs root, to mount'], failures });

    expect(outcome.failures[0]?.alone).toEqual({ args: [], environment: { ONLY: 'F8' } });
    expect([outcome.passed, outcome.failed, outcome.skips.length]).toEqual([3, 1, 1]);
  });
});
