import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const PLANTED = {
  clock: [
    'const tookSo = performance.now() - startedAtMs;',
    'expect(isDone || Date.now() < endsAtMs).toBe(true);',
    'expect(answer.elapsedMs).toBeLessThan(3);',
    'findings.atMost("delivered after", since(atMs), 5);',
    'const [seconds] = process.hrtime(atMs);',
  ],
  sleep: [
    "import { setTimeout as delay } from 'node:timers/promises';",
    "import * as timers from 'timers/promises';",
    "const timers = await import('node:timers/promises');",
    'await new Promise((r) => { window.setTimeout(() => r(), 100); });',
    'setTimeout(() => gate.resolve(), 100);',
    'const delay = promisify(setTimeout);',
    'await page.waitForTimeout(500);',
    'Atomics.wait(view, 0, 0, 100);',
    "await page.goto('/', { waitUntil: 'networkidle' });",
    "execSync('sleep 1');",
  ],
  limit: [
    'expect(x).toPass({ timeout: LIMIT_MS + 2_000 });',
    'test.setTimeout(20_000);',
    'fetch(url, { signal: AbortSignal.timeout(1_000) });',
    "it('starts', start, 5_000);",
    "it.only('starts', start, 5_000);",
    "it.each([1, 2])('starts %i', start, 5_000);",
    'beforeAll(start, 5_000);',
  ],
  port: [
    'const port = await getPort();',
    'server.close(() => resolve(port));',
    'function find() { const { port } = server.address(); server.close(); return port; }',
    'function find() { try { return server.address().port; } finally { server.close(); } }',
  ],
};

const FINE = [
  "import { setImmediate } from 'node:timers/promises';",
  'const receivedAtMs = Date.now() - 3_600_000;',
  'const usedAtMs = Date.now() - HOUR_MS;',
  'expect(pauseMs).toBeLessThanOrEqual(60_000);',
  'expect(first.atMs).toBeLessThan(second.atMs);',
  'server.close(() => ports.delete(port));',
  'createServer((_, response) => setTimeout(() => response.end(), 50)).listen(0);',
  'fetch(url, { signal: AbortSignal.timeout(120_000) });',
  "await expect(page).toHaveURL('/', { timeout: 60_000 });",
  "await findings.timed(5_000, (times) => times.atMost('after', performance.now() - atMs, 5_000));",
];

/** Returns line and rule of each fault that oxlint finds in a test. */
function faultsOf(lines: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'errata-lint-'));
  try {
    const config = readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8');
    writeFileSync(join(folder, '.oxlintrc.json'), config.replace('./tools/', `${import.meta.dirname}/`));
    writeFileSync(join(folder, 'a.spec.ts'), lines.join('\n'));
    const { stdout } = spawnSync(join(ROOT, 'node_modules', '.bin', 'oxlint'), ['--format=unix'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return Array.from(
      stdout.matchAll(/:(\d+):\d+: .*\/timing\((\w+)\)/g),
      ([, line, rule]) => `${line} ${rule}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the lint rules for the timing of tests', () => {
  it('find each planted fault, and nothing in lines that do not depend on the machine', () => {
    const planted = Object.entries(PLANTED).flatMap(([rule, lines]) => lines.map((line) => ({ rule, line })));

    const found = faultsOf([...planted.map(({ line }) => line), ...FINE]);

    expect([...new Set(found)].toSorted()).toEqual(
      planted.map(({ rule }, at) => `${at + 1} ${rule}`).toSorted(),
    );
  });
});
