import { answerPath, findPath } from './paths.ts';

it('carries both ends of a long text: a digest stands in the first or in the last lines', () => {
  const text = `Digest: 7KQ4-M2XD\n${'at frame (file.js:1:1)\n'.repeat(500)}Reference: 0000-0001`;

  const asked = new URLSearchParams(findPath(text).replace(/^.*\?/, '')).get('q') ?? '';

  expect(asked).toHaveLength(2_000);
  expect(asked).toMatch(/^Digest: 7KQ4-M2XD\n/);
  expect(asked).toMatch(/Reference: 0000-0001$/);
});

it('leaves a short text as it is', () => {
  expect(findPath('  a "b" & c ')).toBe('/console?q=a+%22b%22+%26+c');
});

it('makes an address of a digest of any letters', () => {
  const name = { digest: 'own/digest?', address: 'own/digest?' };
  const issue = { project: 'https://key@errors.example/1', ...name, isShared: false };

  expect(answerPath(issue, 'a b')).toBe('/console/e/own%2Fdigest%3F?event=a%20b');
  expect(answerPath({ ...issue, isShared: true }, 'a b')).toBe(
    '/console/e/own%2Fdigest%3F?project=https%3A%2F%2Fkey%40errors.example%2F1&event=a%20b',
  );
  expect(answerPath({ ...issue, address: '3e'.repeat(32) })).toBe(`/console/e/${'3e'.repeat(32)}`);
});
