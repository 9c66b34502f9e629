import { withTime } from './search-terms.ts';

it.each([
  ['', 'at:2026-11-28T14'],
  ['cart release:1.4.2', 'cart release:1.4.2 at:2026-11-28T14'],
  ['at:2026-11-27 cart', 'cart at:2026-11-28T14'],
  ['"look at:once" what:at', '"look at:once" what:at at:2026-11-28T14'],
])('adds a time to "%s" in place of another one', (search, result) => {
  expect(withTime(search, 'at:2026-11-28T14')).toBe(result);
});
