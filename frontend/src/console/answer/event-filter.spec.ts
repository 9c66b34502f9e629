import { stateOf, toggled } from './event-filter.ts';

const TERM = 'browser:Safari';

it.each([
  ['', 'browser:Safari'],
  ['browser:Safari', '-browser:Safari'],
  ['-browser:Safari', ''],
  ['!browser:safari last:24h', 'last:24h'],
  ['user:"ann lee" BROWSER:"safari"', 'user:"ann lee" -browser:Safari'],
  ['browser:Chrome -browser:Edge', '-browser:Edge browser:Safari'],
  ['"browser:Safari" release:1', '"browser:Safari" release:1 browser:Safari'],
])('steps from "%s" to "%s"', (q, next) => {
  expect(toggled(q, TERM)).toBe(next);
});

it.each([
  ['tag:"plan:gold plus"', 'tag:plan:"gold plus"', 'only'],
  ['tag:plan:free', 'tag:plan:gold', null],
  ['url:/a"b', '-url:/a"b', 'not'],
  ['user:"ann lee"', 'user:"bob lee" -user:"ann lee"', 'not'],
  ['release:Shop@1', 'release:shop@1', null],
  ['release:Shop@1', 'RELEASE:"Shop@1"', 'only'],
  ['url:/Cart', '-url:/cart', null],
])('finds %s in %s: %s', (term, q, state) => {
  expect(stateOf(q, term)).toBe(state);
});

it('replaces a release by one that differs only in its case', () => {
  expect(toggled('Release:shop@1', 'release:Shop@1')).toBe('release:Shop@1');
});

it('keeps another tag, and replaces another value of the same tag', () => {
  expect(toggled('tag:plan:free tag:region:eu', 'tag:plan:gold')).toBe('tag:region:eu tag:plan:gold');
});
