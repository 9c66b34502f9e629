import { ClientFiles, mayBeStored } from './client-files.ts';
import { ClientFolder } from './client-folder.fixture.ts';

it('lists the files that a page of another build may need, and nothing else', () => {
  const folder = new ClientFolder({
    'assets/a-AbCd1234.js': 'a();',
    'assets/a-AbCd1234.js.map': '{}',
    'assets/a-AbCd1234.js.gz': '',
    'assets/b-AbCd1234.png': '',
    'assets/.c-AbCd1234.js': '',
    'page-AbCd1234.html': '',
    'report-AbCd1234.pdf': '',
    'app.js': '',
  });

  expect(
    ClientFiles.read(folder.path).hashed.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  ).toEqual([
    { path: 'assets/a-AbCd1234.js', isText: true },
    { path: 'assets/b-AbCd1234.png', isText: false },
  ]);
  folder.remove();
});

it.each([
  [['assets', 'a-AbCd1234.js'], true],
  [['assets', '..', 'a-AbCd1234.js'], false],
  [['', 'a-AbCd1234.js'], false],
  [['.git', 'a-AbCd1234.js'], false],
  [['assets', 'b/a-AbCd1234.js'], false],
  [['assets\\a-AbCd1234.js'], false],
  [['assets', '\0-AbCd1234.js'], false],
  [['a'.repeat(1_012), 'a-AbCd1234.js'], false],
  [['assets', ''], false],
  [[], false],
])('says whether a file of a path may be stored: %j', (segments, expected) => {
  expect(mayBeStored(segments)).toBe(expected);
});
