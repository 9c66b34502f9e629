import { pageLineOf } from './issue-requests.ts';

it.each([
  ['nothing, which removes it', ''],
  ['text', 'Card payments fail since 14:00 UTC.'],
  ['the joiners of a script and of emoji', 'می\u200Cخواهم क्\u200Dष 👩\u200D💻 ❤\uFE0F\u200D🔥'],
  ['marks on letters', 'Tie\u0302\u0301\u0323ng'],
  ['one symbol', '⚠'],
])('is a line of a page: %s', (_, text) => {
  expect(pageLineOf({ text: ` ${text}\n` })).toBe(text);
});

it.each([
  ['two lines', 'a\nb'],
  ['a line separator', 'a\u2028b'],
  ['a zero byte', 'a\0b'],
  ['a bidi control', 'a\u202Eb'],
  ['a zero-width space', 'a\u200Bb'],
  ['a soft hyphen', 'a\u00ADb'],
  ['a joiner at its end', 'a\u200D'],
  ['a joiner between words', 'a \u200D b'],
  ['two joiners', 'a\u200D\u200Db'],
  ['a tag', 'a\u{E0041}'],
  ['a private character', 'a\uE000'],
  ['an unassigned character', 'a\u0378'],
  ['half of a character', 'a\uD83D'],
  ['Hangul fillers', '\u3164\u115F\uFFA0'],
  ['blank Braille', '\u2800 \u2800'],
  ['variation selectors', '\uFE0F'],
  ['marks alone', '\u0301'],
  ['a pile of marks', `a${'\u0301'.repeat(4)}`],
])('is no line of a page: %s', (_, text) => {
  expect(pageLineOf({ text })).toBeUndefined();
});
