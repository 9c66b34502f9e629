import { checkTest, checkTests } from './check-tests.ts';

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
    ['a condition', '\n\nexpect(new Date().getTime() - at < 50 || Date.now() - at < 50).toBe(true);'],
    ['a measured figure', '\n\nfindings.atMost("delivered after", performance.now() - at, 5);'],
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
  ])('refuses a sleep: %s', (text) => {
    expect(faultsOf(text)).toEqual(['sleep 1']);
  });

  it.each([
    ["await screen.findByText('x', {}, { timeout: 10_000 });"],
    ['test.setTimeout(20_000);'],
    ["it('starts', async () => start(), 5_000);"],
    ['const LIMIT_MS = 5 * 1_000; expect(x).toPass({ timeout: LIMIT_MS + 2_000 });'],
    ['fetch(url, { signal: AbortSignal.timeout(1_000) });'],
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
  ])('refuses a port that is free only now: %s', (text) => {
    expect(faultsOf(text)).toEqual(['port 1']);
  });

  it('leaves alone what does not depend on the machine', () => {
    const text = `
      import { setImmediate } from 'node:timers/promises';
      const receivedAtMs = Date.now() - 3_600_000;
      expect(attempts).toBeLessThan(5);
      expect(pauseMs).toBeLessThanOrEqual(60_000);
      const upstream = createServer((_, response) => setTimeout(() => response.end(), 50)).listen(0);
      const { port } = upstream.address();
      await fetch(\`http://127.0.0.1:\${port}\`, { signal: AbortSignal.timeout(120_000) });
      upstream.close();
      await expect(page).toHaveURL('/', { timeout: 60_000 });
      await findings.timed(5_000, async (times) => times.atMost('after', performance.now() - at, 5_000));`;

    expect(faultsOf(text)).toEqual([]);
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
