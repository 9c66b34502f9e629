import { ANY_ISSUE } from '../../api/issues.ts';
import { issuesPath, readCursors, readIssueQuery } from './issue-query.ts';

function read(search: string) {
  return readIssueQuery(new URLSearchParams(search));
}

it('asks for open issues, the latest first, by default', () => {
  expect(read('')).toEqual(ANY_ISSUE);
});

it('reads the address that it writes', () => {
  const query = {
    q: 'release:1.4.2 "größe & co"',
    status: 'resolved',
    kind: 'browser',
    project: 'https://key@errata.example/1',
    sort: 'users',
    cursor: 'page two',
  } as const;

  expect(read(issuesPath(ANY_ISSUE, query).replace(/^.*\?/, ''))).toEqual(query);
});

it('takes words it does not know for nothing', () => {
  expect(read('status=burnt&kind=cat&sort=colour')).toEqual(ANY_ISSUE);
});

it('starts at the first page when a filter changes', () => {
  expect(issuesPath({ ...ANY_ISSUE, cursor: 'two', kind: 'server' }, { status: 'all' })).toBe(
    '/console/issues?status=all&kind=server',
  );
});

it('is a short address for the defaults', () => {
  expect(issuesPath({ ...ANY_ISSUE, cursor: 'two' })).toBe('/console/issues');
});

it.each([null, 'stays', {}, { cursors: 'two' }])('reads no cursors from another state (%j)', (state) => {
  expect(readCursors(state)).toEqual([]);
});

it('reads the cursors of the pages before', () => {
  expect(readCursors({ cursors: [null, 'two', 3] })).toEqual([null, 'two']);
});
