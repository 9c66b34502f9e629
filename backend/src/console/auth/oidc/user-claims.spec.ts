import { claimAt, emailOf, groupsOf } from './user-claims.ts';

const ANN = 'ann@example.org';

describe('emailOf', () => {
  it.each([
    ['no mark', [{ email: ANN }], ANN],
    ['the mark true', [{ email: ANN, email_verified: true }], ANN],
    ['the mark as a text', [{ email: ANN, email_verified: 'true' }], ANN],
    ['false', [{ email: ANN, email_verified: false }], null],
    ['false as a text', [{ email: ANN, email_verified: 'false' }], null],
    ['false in another case', [{ email: ANN, email_verified: 'False' }], null],
    ['true in another case', [{ email: ANN, email_verified: 'TRUE' }], null],
    ['null', [{ email: ANN, email_verified: null }], null],
    ['a number', [{ email: ANN, email_verified: 1 }], null],
    ['an empty text', [{ email: ANN, email_verified: '' }], null],
    ['a list', [{ email: ANN, email_verified: [true] }], null],
  ])('goes by the mark of its source: %s', (_mark, sources, email) => {
    expect(emailOf(sources)).toBe(email);
  });

  it.each([
    [
      'confirmed by another source only',
      [{ email_verified: true }, { email: ANN, email_verified: false }],
      null,
    ],
    [
      'doubted by another source only',
      [{ email_verified: false }, { email: ANN, email_verified: true }],
      ANN,
    ],
    ['without a mark, and doubted by another source', [{ email: ANN }, { email_verified: false }], null],
    ['without a mark, with doubts before it', [{ email_verified: null }, { email: ANN }], null],
    [
      'confirmed for another address',
      [
        { email: ANN, email_verified: 'no' },
        { email: 'eve@example.org', email_verified: true },
      ],
      null,
    ],
    ['empty in the first source', [{ email: '' }, { email: ANN }], ANN],
    ['in no source', [{ email: [ANN] }, {}], null],
  ])('takes address and mark from one source: %s', (_case, sources, email) => {
    expect(emailOf(sources)).toBe(email);
  });

  it('makes no ASCII letter of another letter', () => {
    expect(emailOf([{ email: 'MIKE@example.org' }])).toBe('mike@example.org');
    expect(emailOf([{ email: 'mi\u212Ae@example.org' }])).toBe('mi\u212Ae@example.org');
  });
});

describe('claimAt', () => {
  it.each([
    ['groups', { groups: ['a'] }],
    ['realm_access.roles', { realm_access: { roles: ['a'] } }],
    ['resource_access.errata.roles', { resource_access: { errata: { roles: ['a'] } } }],
    [
      'resource_access.errata.example.org.roles',
      { resource_access: { 'errata.example.org': { roles: ['a'] } } },
    ],
    ['https://example.org/groups', { 'https://example.org/groups': ['a'] }],
    ['https://example.org/claims.groups', { 'https://example.org/claims': { groups: ['a'] } }],
    ['a.b', { 'a.b': ['a'], a: { b: ['other'] } }],
    ['a.b', { 'a.b': null, a: { b: ['a'] } }],
  ])('finds %s', (name, claims) => {
    expect(claimAt(claims, name)).toEqual(['a']);
  });

  it.each(['groups', 'a.c', 'a.b.c', 'n.x', 'constructor', 'a.constructor', '.', 'a.'])(
    'finds no %s',
    (name) => {
      expect(claimAt({ a: { b: ['a'] }, n: null }, name)).toBeUndefined();
    },
  );
});

describe('groupsOf', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['a list', ['a', 'b'], ['a', 'b']],
    ['one text', 'a', ['a']],
    ['numbers', [1001, 7], ['1001', '7']],
    ['an object of organisations', { a: { '2193': 'example.org' }, b: { '2193': 'x' } }, ['a', 'b']],
    ['a list of such objects', [{ a: { '2193': 'example.org' } }], ['a']],
    ['an object of marks', { a: true, b: false, c: null, d: {}, e: 'no', f: 0 }, ['a']],
    ['anything else', true, []],
  ])('reads %s', (_form, claim, groups) => {
    expect(groupsOf([{ groups: claim }], 'groups')).toEqual(groups);
  });

  it('reads the first source that has the claim', () => {
    const sources = [{ realm_access: {} }, { realm_access: { roles: ['a'] } }];

    expect(groupsOf(sources, 'realm_access.roles')).toEqual(['a']);
    expect(groupsOf(sources, 'groups')).toBeUndefined();
  });
});
