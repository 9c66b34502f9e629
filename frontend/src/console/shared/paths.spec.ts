import { addressable, answerPath, findPath } from './paths.ts';

/** Returns the text that an address asks for. */
function askedIn(path: string): string {
  return new URLSearchParams(path.replace(/^.*\?/, '')).get('q') ?? '';
}

const FRAMES = 'at frame (file.js:1:1)\n'.repeat(500);

it('carries both ends of a long text: a digest stands in the first or in the last lines', () => {
  const asked = askedIn(findPath(`Digest: 7KQ4-M2XD\n${FRAMES}Reference: 0000-0001`));

  expect(asked.length).toBeLessThanOrEqual(2_000);
  expect(asked.length).toBeGreaterThan(1_900);
  expect(asked).toMatch(/^Digest: 7KQ4-M2XD\n/);
  expect(asked).toMatch(/Reference: 0000-0001$/);
});

it.each([
  '4bf92f3577b34da6a3ce929d0e0e4736',
  '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d',
  `00-${'4b'.repeat(16)}-00f067aa0ba902b7-01`,
  '7KQ4-M2XD',
  '1-67891233-abcdef012345678912345678',
  'X-Request-ID: r-77',
  '"correlation_id":"r-77"',
  'Ray ID: 8f2b5c1d9e3a4b6c',
])('carries an id in the middle of a long text: %s', (id) => {
  expect(askedIn(findPath(`${FRAMES}see ${id}\n${FRAMES}`))).toContain(id.replace(/^(?:X-|00-|")|-01$/g, ''));
});

it.each(['注文', '🛒', ' \n', 'Digest: 7KQ4-M2XD '])(
  'makes an address that a server reads of any number of %j',
  (part) => {
    const path = findPath(`a${part.repeat(10_000)}b`);

    expect(path.length).toBeLessThanOrEqual(4_000);
    expect(askedIn(path)).toMatch(/^a[^]*b$/);
  },
);

it.each([
  '😀'.repeat(5_000),
  `a${'😀'.repeat(5_000)}`,
  `user:ann ${'😀'.repeat(700)}`,
  `see ${'4b'.repeat(16)} a${'😀'.repeat(5_000)}`,
])('cuts a long text between its characters (%#)', (text) => {
  expect(addressable(text)).toMatch(/^[\x20-\x7f\n😀]+$/u);
});

it('makes an address of a text that is no Unicode', () => {
  const issue = { project: '', digest: '7KQ4-M2XD', address: '7KQ4-M2XD', isShared: false };

  expect(askedIn(answerPath(issue, null, '\ud800abc'))).toBe('\ufffdabc');
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
