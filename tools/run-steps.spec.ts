import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSteps, type Step } from '../.ci/run-steps.ts';
import { faultsOutcome, jestOutcome, playwrightOutcome } from '../.ci/test-reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'errata-runners-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A runner: a script that may `write` a report, and exits. */
function runner(name: string, script: string, read: Step['read']): Step {
  const path = join(folder, `${name}.cjs`);
  const write =
    "const write = (report) => require('fs').writeFileSync(process.env.FILE, JSON.stringify(report));";
  writeFileSync(path, `${write}\n${script}`);
  return { name, command: `exec '${process.execPath}' ${path} "$@"`, read };
}

function jestReport(status: string, message = '', file: object = {}) {
  const test = { status, fullName: 'adds (two) numbers', failureMessages: [message] };
  return {
    numPassedTests: status === 'passed' ? 1 : 0,
    testResults: [
      { name: '/p/backend/src/a.spec.ts', status, message: '', assertionResults: [test], ...file },
    ],
  };
}

interface Spec {
  readonly title: string;
  readonly status: string;
  readonly tags?: readonly string[];
  readonly reason?: string;
  readonly messages?: readonly string[];
  /** Status of its only result. */
  readonly result?: string;
}

function playwrightReport(...specs: readonly Spec[]) {
  const location = { file: 'host.e2e.ts', line: 9 };
  const all = specs.map(({ title, status, tags = [], reason: description, messages = [], result }) => {
    const errors = messages.map((message) => ({ message, location }));
    const stdout = [{ text: 'printed by the test\n' }];
    const results = [{ status: result ?? status, errors, stdout, stderr: [] }];
    const tests = [{ status, annotations: [{ type: 'skip', description }], results }];
    return { title, file: 'host.e2e.ts', line: 7, tags, tests };
  });
  return { errors: [], suites: [{ title: 'host.e2e.ts', specs: all }] };
}

async function run(...steps: readonly Step[]) {
  let output = '';
  const isGreen = await runSteps(steps, (text) => (output += text));
  return { isGreen, output, lines: output.trimEnd().split('\n') };
}

describe('make test', () => {
  it('prints one line for each step of a green run, independent of the output of the runners, and the totals last', async () => {
    const report = JSON.stringify(jestReport('passed'));
    const noisy = `for (let n = 0; n < 500; n += 1) console.error('a warning'); write(${report});`;

    const { isGreen, lines } = await run(
      runner('backend', noisy, jestOutcome),
      runner('frontend', noisy, jestOutcome),
    );

    expect(isGreen).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/^backend +1 passed, 0 failed, 0 skipped +\d+ s, \d+ s of CPU$/),
      expect.stringMatching(/^frontend +1 passed, 0 failed, 0 skipped +\d+ s, \d+ s of CPU$/),
      expect.stringMatching(/^all in \d+ s, 0 retried$/),
      '2 passed, 0 failed, 0 skipped',
    ]);
  });

  it('prints the whole message and the console output of a failed test, and runs it once more alone', async () => {
    const report = JSON.stringify(jestReport('failed', 'expected 2\nreceived 3'));
    const script = `
      console.log('PASS src/b.spec.ts\\n  another file\\nFAIL src/a.spec.ts\\n  console.log\\n    the log of a\\n\\n  ● adds (two) numbers\\n');
      write(${report}); process.exit(1);`;

    const { isGreen, output, lines } = await run(runner('backend', script, jestOutcome));

    expect(isGreen).toBe(false);
    expect(output).toContain('backend: adds (two) numbers\n  expected 2\n  received 3\n');
    expect(output).toContain('the log of a');
    expect(output).not.toContain('another file');
    expect(lines.at(-3)).toBe('FAILED again backend: adds (two) numbers: expected 2');
    expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
  });

  it('says that a failed test passed alone, and fails the run all the same', async () => {
    const script = `
      const isAlone = process.argv.at(-1) === '^adds \\\\(two\\\\) numbers$';
      write(isAlone ? ${JSON.stringify(jestReport('passed'))} : ${JSON.stringify(jestReport('failed', 'late'))});
      process.exit(isAlone ? 0 : 1);`;

    const { isGreen, lines } = await run(runner('backend', script, jestOutcome));

    expect(isGreen).toBe(false);
    expect(lines).toContain('FAILED, passed alone backend: adds (two) numbers: late');
  });

  it.each([
    [
      'crashes',
      `write(${JSON.stringify(jestReport('passed'))}); process.exit(3);`,
      jestOutcome,
      'ended with 3',
    ],
    [
      'names none of its failed tests',
      'write({ passed: 1, failed: 1, skips: [], failures: [] }); process.exit(1);',
      faultsOutcome,
      'ended with 1',
    ],
    ['fails without a report', 'process.exit(3);', null, 'ended with 3'],
    ['writes no report', "console.log('cannot start');", jestOutcome, 'wrote no report and ended with 0'],
    ['writes another report', 'write(null);', playwrightOutcome, 'wrote no report and ended with 0'],
    ['ran no test', `write(${JSON.stringify(playwrightReport())});`, playwrightOutcome, 'ran no test'],
    ['is killed', 'process.kill(process.pid);', faultsOutcome, 'wrote no report and ended with SIGTERM'],
  ])('fails a step that %s', async (_, script, read, message) => {
    const { isGreen, output, lines } = await run(runner('e2e', script, read));

    expect(isGreen).toBe(false);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([
      `FAILED e2e: the whole step: ${message}`,
    ]);
    expect(output.includes('cannot start')).toBe(script.includes('cannot start'));
    expect(lines.at(-1)).toMatch(/ passed, 1 failed, 0 skipped$/);
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
  const flaky = (title: string, ...tags: readonly string[]): Spec => ({ title, status: 'flaky', tags });

  it.each([
    ['a retried test of the class that builds as passed', [flaky('a', 'machine')], [1, 0, ['host.e2e.ts a']]],
    ['any other retried test as failed', [flaky('a')], [0, 1, []]],
    ['more than two of them as failed', ['a', 'b', 'c'].map((title) => flaky(title, 'machine')), [0, 3, []]],
    ['a stopped test as failed', [{ title: 'x', status: 'skipped', result: 'interrupted' }], [0, 1, []]],
    ['a test with an unknown status as failed', [{ title: 'x', status: 'paused' }], [0, 1, []]],
  ])('counts %s', (_, specs, counts) => {
    const { passed, failed, retried } = playwrightOutcome(playwrightReport(...specs));

    expect([passed, failed, retried]).toEqual(counts);
  });

  it('selects a failed test by its file and line, and has its output and all its errors without colours', () => {
    // The first one is only the time limit.
    const messages = ['\u001B[31mTest timeout of 120000ms exceeded.\u001B[39m', 'waiting for getByText'];
    const report = playwrightReport({ title: 'x', status: 'unexpected', messages });

    expect(playwrightOutcome(report).failures).toEqual([
      {
        name: 'host.e2e.ts x',
        message:
          'Test timeout of 120000ms exceeded.\n    at host.e2e.ts:9\n\nwaiting for getByText\n    at host.e2e.ts:9',
        log: 'printed by the test',
        alone: ['/host.e2e.ts:7'],
      },
    ]);
  });
});

describe('the outcome of Jest', () => {
  it('counts and names an error outside of the tests of a file that has a failed test', () => {
    const message = '  ● a failed test\n\n  ● Test suite failed to run\n\n    in afterAll';

    const { failed, failures } = jestOutcome(jestReport('failed', 'in the test', { message }), '');

    expect(failed).toBe(2);
    expect(failures.map((failure) => failure.message)).toEqual([
      'in the test',
      '● Test suite failed to run\n\n    in afterAll',
    ]);
  });

  it('has the output of a file in the root of a workspace, and no frames of libraries', () => {
    const stack =
      'late\n    at Object.<anonymous> (a.spec.ts:3:5)\n    at run (/p/node_modules/jest-circus/build/run.js:9:1)';
    const output = 'FAIL ./a.spec.ts\n  console.log\n    the log of a\n\n  ● adds (two) numbers\n';

    const { failures } = jestOutcome(jestReport('failed', stack, { name: '/p/tools/a.spec.ts' }), output);

    expect(failures[0]).toMatchObject({
      message: 'late\n    at Object.<anonymous> (a.spec.ts:3:5)',
      log: 'console.log\n    the log of a',
    });
  });
});

describe('the outcome of the fault experiments', () => {
  it('selects a failed experiment by its ID', () => {
    const failures = [{ id: 'F8', name: 'disk full', message: 'alive NOT', log: '{"level":"error"}' }];

    const outcome = faultsOutcome({ passed: 3, failed: 1, skips: ['needs root, to mount'], failures });

    expect(outcome.failures[0]).toMatchObject({ name: 'F8 disk full', alone: ['ONLY=F8'] });
    expect([outcome.passed, outcome.failed, outcome.skips.length]).toEqual([3, 1, 1]);
  });
});
