import { formatBytes } from './bytes.ts';

it.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_024, '1.0 KiB'],
  [3_250_586, '3.1 MiB'],
  [536_870_912, '512 MiB'],
  [5 * 1_024 ** 3, '5.0 GiB'],
  [2_000 * 1_024 ** 4, '2000 TiB'],
])('%i bytes are "%s"', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
