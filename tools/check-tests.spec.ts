import { checkTest, checkTests, testFiles } from './check-tests.ts';

/** Rules and lines of the faults of a test file. */
const faultsOf = (text: string): readonly string[] =>
  checkTest('a.spec.ts', text).map(({ rule, line }) => `${rule} ${line}`);

describe('the check of tests', () => {
  it.each([
    [
      'a difference',
      'const startedAtMs = performance.now();\nwork();\nexpect(performance.now() - startedAtMs).toBeLessThan(5_000);',
    ],
    ['a variable', 'const at = Date.now();\nconst ms = Date.now() - at;\nexpect(ms).not.toBeGreaterThan(9);'],
    [
      'a function',
      'const since = (at: number) => performance.now() - at;\n\nexpect(since(at)).toBeLessThanOrEqual(2);',
    ],
    ['a polled difference', '\n\nawait expect.poll(() => Date.now() - at).toBeGreaterThan(3_000);'],
    ['a condition', '\n\nexpect(isDone || Date.now() - at < 50).toBe(true);'],
    ['a measured figure', '\n\nfindings.atMost("delivered after", performance.now() - at, 5);'],
    [
      'a clock taken out of its object',
      'const { now } = performance;\n\nexpect(now() - at).toBeLessThan(5);',
    ],
    ['a clock below globalThis', '\n\nexpect(globalThis.performance.now() - at).toBeLessThan(5);'],
    ['a date', '\n\nexpect(new Date().getTime() - at).toBeLessThan(50);'],
    ['a date as a number', '\n\nexpect(+new Date() - at).toBeLessThan(50);'],
    [
      'a conversion',
      'const ns = process.hrtime.bigint() - at;\nconst ms = Number(ns / 1_000_000n);\nexpect(ms).toBeLessThan(5);',
    ],
    ['a conversion to BigInt', '\n\nexpect(BigInt(Date.now()) - at < 5n).toBe(true);'],
    ['a part of a time', 'const [seconds] = process.hrtime(at);\n\nexpect(seconds).toBeLessThan(5);'],
    ['an assignment', 'let ms;\nms = Date.now() - at;\nexpect(ms).toBeLessThan(5);'],
    ['a figure of a result', '\n\nexpect(answers[0].latencyMs).toBeLessThan(3);'],
    ['a difference of moments', '\n\nexpect((second?.atMs ?? 0) - first.atMs).toBeLessThan(100);'],
    ['a name of a time that passed', '\n\nexpect(answer.elapsedMs).toBeLessThan(3);'],
  ])('refuses a limit on the time that passed: %s', (_, text) => {
    expect(faultsOf(text)).toEqual(['clock 3']);
  });

  it.each([
    ["import { setTimeout as delay } from 'node:timers/promises';"],
    ['await new Promise((resolve) => setTimeout(resolve, 100));'],
    ['await new Promise<void>((done) => { setTimeout(() => done(), 100); });'],
    ['await new Promise((resolve) => window.setTimeout(resolve, 0));'],
    ['await page.waitForTimeout(500);'],
    ["import * as timers from 'timers/promises';"],
    ["import timers from 'node:timers/promises';"],
    ["const { setTimeout: delay } = await import('node:timers/promises');"],
    ['const delay = promisify(setTimeout);'],
    ["execSync('sleep 1');"],
    ["spawnSync('sh', ['-c', 'true; sleep 0.5']);"],
    ['const { promise, resolve } = Promise.withResolvers(); setTimeout(resolve, 100);'],
    ['const gate = Promise.withResolvers(); setTimeout(() => gate.resolve(), 100);'],
    ['await new Promise((resolve) => { setTimeout(() => { count(); resolve(); }, 100); });'],
    ["await page.waitForLoadState('networkidle');"],
    ["await page.goto('/', { waitUntil: 'networkidle' });"],
  ])('refuses a sleep: %s', (text) => {
    expect(faultsOf(text)).toEqual(['sleep 1']);
  });

  it.each([
    ["await screen.findByText('x', {}, { timeout: 10_000 });"],
    ['test.setTimeout(20_000);'],
    ["it('starts', async () => start(), 5_000);"],
    ['const LIMIT_MS = 5 * 1_000; expect(x).toPass({ timeout: LIMIT_MS + 2_000 });'],
    ['fetch(url, { signal: AbortSignal.timeout(1_000) });'],
    ['beforeAll(async () => start(), 5_000);'],
    ['afterEach(stop, 100);'],
    ["it.each([1, 2])('starts %i', async () => start(), 5_000);"],
    ["it.each`a\\n${1}`('starts $a', async () => start(), 5_000);"],
    ["it.only('starts', async () => start(), 5_000);"],
    ["test.only('starts', async () => start(), 5_000);"],
    ['testInfo.setTimeout(5_000);'],
    ['test.info().setTimeout(5_000);'],
    ['page.setDefaultTimeout(5_000);'],
    ['test.use({ actionTimeout: 5_000 });'],
    ['test.use({ navigationTimeout: 5_000 });'],
    ['configure({ asyncUtilTimeout: 5_000 });'],
    ["expect(x).toPass({ 'timeout': 5_000 });"],
    ['expect(x).toPass({ timeout: isSlow ? 120_000 : 5_000 });'],
    ['const LIMITS = { short: 5_000 } as const; expect(x).toPass({ timeout: LIMITS.short });'],
  ])('refuses a limit below that of a wait: %s', (text) => {
    expect(faultsOf(text)).toEqual(['limit 1']);
  });

  it.each([
    ["import { freePort } from './free-port.ts';"],
    ['const port = await getPort();'],
    [
      'async function find() { const server = createServer().listen(0); const { port } = server.address(); server.close(); return port; }',
    ],
    ['server.listen(0, () => { const { port } = server.address(); server.close(() => resolve(port)); });'],
    ["import getPort from 'get-port';"],
    ["import detect from 'detect-port';"],
    ["const portfinder = require('portfinder');"],
    [
      'async function f() { const { port } = server.address(); await new Promise((done) => server.close(done)); start(port); }',
    ],
    [
      'async function f() { await using server = await listen(); const { port } = server.address(); return port; }',
    ],
    ['async function f() { try { return server.address().port; } finally { server.close(); } }'],
  ])('refuses a port that is free only now: %s', (text) => {
    expect(faultsOf(text)).toEqual(['port 1']);
  });

  it('leaves alone calls that do not depend on the machine', () => {
    const text = `
      import { setImmediate } from 'node:timers/promises';
      const receivedAtMs = Date.now() - 3_600_000;
      expect(attempts).toBeLessThan(5);
      expect(pauseMs).toBeLessThanOrEqual(60_000);
      expect(event.sinceId).toBeLessThan(5);
      expect(tookItems).toBeLessThan(5);
      expect(first.atMs).toBeLessThan(second.atMs);
      server.once('close', () => ports.clear());
      server.close(() => ports.delete(port));
      const upstream = createServer((_, response) => setTimeout(() => response.end(), 50)).listen(0);
      const { port } = upstream.address();
      await fetch(\`http://127.0.0.1:\${port}\`, { signal: AbortSignal.timeout(120_000) });
      upstream.close();
      await expect(page).toHaveURL('/', { timeout: 60_000 });
      await findings.timed(5_000, async (times) => times.atMost('after', performance.now() - at, 5_000));`;

    expect(faultsOf(text)).toEqual([]);
  });
});

describe('the files that are checked', () => {
  it('are tests, and plain files that only tests import', () => {
    const sources = new Map([
      ['backend/src/main.ts', "import { serve } from './serve.ts';"],
      ['backend/src/serve.ts', "import { both } from './both.ts';"],
      ['backend/src/both.ts', ''],
      ['backend/src/helper.ts', "import { wait } from './wait.ts';\nimport { both } from './both.ts';"],
      ['backend/src/wait.ts', ''],
      ['backend/src/a.spec.ts', "import './main.ts';\nimport { help } from './helper.ts';"],
      ['backend/src/store/test/started.mjs', ''],
      ['frontend/jest/setup.js', ''],
      ['tools/seed.ts', ''],
      ['tools/seed.spec.ts', "import { seed } from './seed.ts';"],
    ]);

    expect([...testFiles(sources).keys()]).toEqual([
      'backend/src/helper.ts',
      'backend/src/wait.ts',
      'backend/src/a.spec.ts',
      'backend/src/store/test/started.mjs',
      'frontend/jest/setup.js',
      'tools/seed.spec.ts',
    ]);
  });
});

describe('the list of exceptions', () => {
  const files = new Map([['e2e/a.e2e.ts', 'await page.waitForTimeout(5);\nawait page.waitForTimeout(6);']]);
  const exception = { file: 'e2e/a.e2e.ts', rule: 'sleep', reason: 'the wait is the subject' } as const;

  it('covers its number of places', () => {
    expect(checkTests(files, [{ ...exception, count: 2 }])).toEqual([]);
  });

  it('names every place when there is one more', () => {
    expect(checkTests(files, [{ ...exception, count: 1 }])).toEqual([
      expect.stringMatching(/^e2e\/a\.e2e\.ts:1: sleep: .*\(2 of them, timing-exceptions\.ts allows 1\)$/),
      expect.stringMatching(/^e2e\/a\.e2e\.ts:2: sleep: /),
    ]);
  });

  it('has no entry without a place', () => {
    const other = { ...exception, file: 'e2e/b.e2e.ts', count: 1 };

    expect(checkTests(files, [{ ...exception, count: 3 }, other])).toEqual([
      'timing-exceptions.ts: out of date: sleep e2e/a.e2e.ts',
      'timing-exceptions.ts: out of date: sleep e2e/b.e2e.ts',
    ]);
  });
});
