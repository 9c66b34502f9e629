import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { readExperiments } from './faults/catalogue.ts';
import { Findings } from './faults/findings.ts';
import { performAlone } from './faults/isolate.ts';
import { test } from './fixtures/test.ts';

/** Prints one finding; then X1 throws in a timer, X2 leaves a rejection unhandled, X3 is killed, X4 passes, X5 just ends. */
const PROGRAM = `
console.log('one figure');
const ends = {
  X1: () => setTimeout(() => { throw new Error('a crash'); }),
  X2: () => void Promise.reject(new Error('a crash')),
  X3: () => process.kill(process.pid, 'SIGKILL'),
  X4: () => process.exit(42),
  X5: () => process.exit(0),
};
ends[process.argv[2]]();
`;

test('a fault experiment that crashes, or ends without a verdict, fails alone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-crash-'));
  const program = join(directory, 'experiments.mjs');
  writeFileSync(program, PROGRAM);

  const results = [];
  for (const id of ['X1', 'X2', 'X3', 'X4', 'X5']) results.push(await performAlone(program, id, {}));

  expect(results.map(({ verdict }) => verdict)).toEqual(['FAILED', 'FAILED', 'FAILED', 'passed', 'FAILED']);
  expect(results[0]?.lines.at(0)).toBe('one figure');
  expect(results[0]?.lines.at(-1)).toBe('NOT its process ended early with status 1');
  expect(results[2]?.lines.at(-1)).toBe('NOT its process ended early with SIGKILL');
  rmSync(directory, { recursive: true });
});

test('each fault of docs/faults.md has an experiment or names the test that proves it', async () => {
  const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'faults.md'), 'utf8');
  const ids = (await readExperiments()).map(({ id }) => id).filter((id) => id.startsWith('F'));
  const [, faults = '', elsewhere = ''] =
    /## The faults([^]*)## Proved by other tests([^]*)## Not in the gate/.exec(document) ?? [];
  const rowsOf = (text: string): readonly string[] =>
    [...text.matchAll(/^\| (F\d+) /gm)].map(([, id = '']) => id);

  expect(ids).toEqual(rowsOf(faults));
  expect(
    [...ids, ...rowsOf(elsewhere)].map((id) => Number(id.slice(1))).toSorted((one, other) => one - other),
  ).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29, 30, 31,
  ]);
});

test('a run of an experiment that is not in the gate fails there', () => {
  const main = join(import.meta.dirname, 'faults', 'main.ts');
  const environment = { ...process.env, FORM: 'gate', FULL: '', ONLY: 'F5,F15' };

  const { status, stdout } = spawnSync(process.execPath, [main], { env: environment });

  expect(status).toBe(1);
  expect(stdout.toString()).toMatch(/^ONLY=F15: no such experiment with FORM=gate; there are F5 F6 /);
});

/** Keeps the bench from its timers, as a busy machine does. */
function stall(): Promise<number> {
  const startedAtMs = performance.now();
  // oxlint-disable-next-line timing/clock -- the subject is a stall
  while (performance.now() - startedAtMs < 50);
  return Promise.resolve(1);
}

test('a time that was measured on a stalled machine is unmeasured after five attempts', async () => {
  const lines: string[] = [];
  const findings = new Findings((line) => lines.push(line), 'short');

  await findings.duration('a time', 100, stall);

  expect(lines).toEqual([
    ...Array(4).fill(expect.stringMatching(/^noted: the bench stalled \d+(\.\d)? ms: measures again$/)),
    expect.stringMatching(/^UNMEASURED a time 1 ms \(<= 100 ms\); the bench stalled \d+(\.\d)? ms$/),
  ]);
  expect(findings.verdict).toBe('unmeasured');
});

test('a bad count fails an experiment whose time is unmeasured', async () => {
  const findings = new Findings(() => {}, 'short');

  await findings.duration('a time', 100, stall);
  findings.equal('lost', 1, 0);

  expect(findings.verdict).toBe('FAILED');
});

test('a time is judged in `make faults` and noted in the gate, where it alone proves nothing', async () => {
  const limitMs = 1e9;
  const lines: string[] = [];
  const short = new Findings((line) => lines.push(line), 'short');
  const gate = new Findings((line) => lines.push(line), 'gate');

  await short.duration('a time', limitMs, () => Promise.resolve(limitMs + 1));
  await gate.duration('a time', limitMs, () => Promise.resolve(limitMs + 1));

  expect(lines.map((line) => line.split(' ')[0])).toEqual(['NOT', 'noted:']);
  expect(gate.verdict).toBe('FAILED');
});
