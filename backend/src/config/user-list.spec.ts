import { userList } from './user-list.ts';

it.each([
  ['', []],
  ['ann@example.org, group:sre ,sub:7,*', ['ann@example.org', 'group:sre', 'sub:7', '*']],
  ['"group:cn=sre,ou=groups",group:sre', ['group:cn=sre,ou=groups', 'group:sre']],
  ['group:"cn=sre,ou=groups"', ['group:cn=sre,ou=groups']],
  ['"group:a ""b"", c"', ['group:a "b", c']],
  ['group:a:b c*', ['group:a:b c*']],
  ['jörg@bücher.example', ['jörg@bücher.example']],
])('reads %s', (text, users) => {
  expect(userList.parse(text)).toEqual(users);
});

it.each([
  'group:cn=sre,ou=groups,dc=example,dc=org',
  'sre',
  'group:',
  'sub:',
  'Group:sre',
  'groups:sre',
  '@example.org',
  '*@example.org',
  'Ann <ann@example.org>',
  'mailto:ann@example.org',
  'ann@example.org ben@example.org',
  'ann@example.org;ben@example.org',
  '"group:cn=sre,ou=groups',
  'group:5" disks',
  'group:say "hi" now',
])('rejects %s', (text) => {
  expect(userList.safeParse(text).success).toBe(false);
});
