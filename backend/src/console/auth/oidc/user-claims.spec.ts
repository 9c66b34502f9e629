import { claimAt, type ClaimSources, type EmailState, emailStateOf, groupsOf } from './user-claims.ts';

const ANN = 'ann@example.org';

describe('emailStateOf', () => {
  it.each([
    ['no mark', [{ email: ANN }], 'unmarked'],
    ['the mark true', [{ email: ANN, email_verified: true }], 'verified'],
    ['the mark as a text', [{ email: ANN, email_verified: 'true' }], 'verified'],
    ['false', [{ email: ANN, email_verified: false }], 'not_verified'],
    ['false as a text', [{ email: ANN, email_verified: 'false' }], 'not_verified'],
    ['false in another case', [{ email: ANN, email_verified: 'False' }], 'not_verified'],
    ['true in another case', [{ email: ANN, email_verified: 'TRUE' }], 'not_verified'],
    ['null', [{ email: ANN, email_verified: null }], 'not_verified'],
    ['a number', [{ email: ANN, email_verified: 1 }], 'not_verified'],
    ['an empty text', [{ email: ANN, email_verified: '' }], 'not_verified'],
    ['a list', [{ email: ANN, email_verified: [true] }], 'not_verified'],
  ])('goes by the mark of its source: %s', (_mark, sources, state) => {
    expect(emailStateOf(sources)).toEqual({ state, email: ANN });
  });

  it.each<[string, ClaimSources, EmailState['state']]>([
    [
      'verified by another source only',
      [{ email_verified: true }, { email: ANN, email_verified: false }],
      'not_verified',
    ],
    [
      'doubted by another source only',
      [{ email_verified: false }, { email: ANN, email_verified: true }],
      'verified',
    ],
    ['unmarked, and verified by another source', [{ email: ANN }, { email_verified: true }], 'unmarked'],
    ['unmarked, and doubted by another source', [{ email: ANN }, { email_verified: false }], 'not_verified'],
    ['unmarked, with doubts before it', [{ email_verified: null }, { email: ANN }], 'not_verified'],
    [
      'unmarked, then verified',
      [{ email: 'eve@example.org' }, { email: ANN, email_verified: true }],
      'verified',
    ],
    [
      'not verified, with another address that is',
      [
        { email: ANN, email_verified: 'no' },
        { email: 'eve@example.org', email_verified: true },
      ],
      'not_verified',
    ],
    ['empty in the first source', [{ email: '' }, { email: ANN }], 'unmarked'],
  ])('takes address and mark from one source: %s', (_case, sources, state) => {
    expect(emailStateOf(sources)).toEqual({ state, email: ANN });
  });

  it('finds none in a claim that is no text', () => {
    expect(emailStateOf([{ email: [ANN] }, {}])).toEqual({ state: 'none' });
  });

  it('makes no ASCII letter of another letter', () => {
    expect(emailStateOf([{ email: 'MIKE@example.org' }])).toMatchObject({ email: 'mike@example.org' });
    expect(emailStateOf([{ email: 'mi\u212Ae@example.org' }])).toMatchObject({
      email: 'mi\u212Ae@example.org',
    });
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
