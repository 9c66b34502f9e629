import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { EXPERIMENTS } from './faults/catalogue.ts';
import { Findings } from './faults/findings.ts';
import { performAlone } from './faults/isolate.ts';
import { reportOf } from './faults/report.ts';
import type { Row } from './faults/table.ts';
import { test } from './fixtures/test.ts';

/** Sends one finding; then X1 throws in a timer, X2 leaves a rejection unhandled, X3 is killed, X4 ends well. */
const PROGRAM = `
process.send({ kind: 'finding', finding: { text: 'one figure', result: 'good', isPart: false } });
const end = {
  X1: () => setTimeout(() => { throw new Error('a crash'); }),
  X2: () => void Promise.reject(new Error('a crash')),
  X3: () => process.kill(process.pid, 'SIGKILL'),
  X4: () => process.send({ kind: 'end', verdict: 'passed', complaints: [] }, () => process.exit(0)),
};
setTimeout(end[process.argv[2]], 10);
`;

test('a fault experiment that crashes fails alone: the others are reported', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-crash-'));
  const program = join(directory, 'experiments.mjs');
  writeFileSync(program, PROGRAM);

  const rows = [];
  for (const id of ['X1', 'X2', 'X3', 'X4']) {
    rows.push(await performAlone({ id, fault: 'a fault', target: 'none' }, program, 1, () => {}));
  }

  expect(rows.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'X1 FAILED',
    'X2 FAILED',
    'X3 FAILED',
    'X4 passed',
  ]);
  expect(rows[0]?.findings.map(({ text }) => text)).toEqual([
    'one figure',
    'its process ended early with status 1',
  ]);
  expect(rows[2]?.findings.at(-1)?.text).toContain('SIGKILL');
  rmSync(directory, { recursive: true });
});

test('each fault of docs/faults.md has an experiment', () => {
  const numbers = EXPERIMENTS.flatMap(({ id }) => /^F(\d+)$/.exec(id)?.[1] ?? []).map(Number);

  expect(numbers).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 26, 27, 28, 29, 30,
  ]);
});

test('a run of an experiment that has no gate form fails in the gate', () => {
  const main = join(import.meta.dirname, 'faults', 'main.ts');
  const run = (only: string): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [main], { env: { ...process.env, FORM: 'gate', FULL: '', ONLY: only } });

  const alone = run('F15');
  const beside = run('F10,F15');

  expect([alone.status, alone.stdout.toString()]).toEqual([1, 'F15 has no gate form\n']);
  expect([beside.status, beside.stdout.toString()]).toEqual([1, 'F15 has no gate form\n']);
});

/** Keeps the bench from its timers, as a busy machine does. */
function stall(): Promise<number> {
  const startedAtMs = performance.now();
  // oxlint-disable-next-line timing/clock -- the subject is a stall
  while (performance.now() - startedAtMs < 50);
  return Promise.resolve(1);
}

test('a time that was measured on a stalled machine is unmeasured after five attempts', async () => {
  const findings = new Findings(() => {}, 'short');
  let measurements = 0;

  await findings.duration('a time', 100, () => {
    measurements += 1;
    return stall();
  });

  expect(measurements).toBe(5);
  expect(findings.verdict).toBe('unmeasured');
  const notes = findings.all.filter(({ result }) => result === 'noted').map(({ text }) => text);
  expect(notes).toEqual(
    Array(4).fill(expect.stringMatching(/^the bench stalled \d+(\.\d)? ms: measures again$/)),
  );
});

test('a bad count fails an experiment whose time is unmeasured', async () => {
  const findings = new Findings(() => {}, 'short');

  await findings.duration('a time', 100, stall);
  findings.equal('lost', 1, 0);

  expect(findings.verdict).toBe('FAILED');
});

test('a time is judged in `make faults` and noted in the gate, where it alone proves nothing', async () => {
  const limitMs = 1e9;
  const short = new Findings(() => {}, 'short');
  const gate = new Findings(() => {}, 'gate');

  await short.duration('a time', limitMs, () => Promise.resolve(limitMs + 1));
  await gate.duration('a time', limitMs, () => Promise.resolve(limitMs + 1));

  expect(short.all.map(({ result }) => result)).toEqual(['bad']);
  expect(gate.all.map(({ result }) => result)).toEqual(['noted']);
  expect(gate.verdict).toBe('FAILED');
});

test('the report names what a skipped experiment lacks, and the missed target of a failed one first', () => {
  const row = { fault: 'disk full', target: '', seed: 1, seconds: 1 };
  const rows: readonly Row[] = [
    {
      ...row,
      id: 'F8',
      verdict: 'skipped',
      findings: [{ text: 'needs root, to mount', result: 'noted', isPart: false }],
    },
    {
      ...row,
      id: 'F9',
      verdict: 'FAILED',
      complaints: ['{"level":"error"}'],
      findings: [
        { text: 'alive', result: 'good', isPart: false },
        { text: 'lost 3 (expected 0)', result: 'bad', isPart: false },
      ],
    },
  ];

  expect(reportOf(rows)).toEqual({
    passed: 0,
    failed: 1,
    skips: ['F8 needs root, to mount'],
    failures: [
      { id: 'F9', name: 'disk full', message: 'NOT lost 3 (expected 0)\nalive', log: '{"level":"error"}' },
    ],
  });
});
