import { roleOfClaims, nameOfClaims } from './role-mapping.ts';

const LISTS = {
  operators: ['Ann@Example.org', 'group:sre'],
  support: ['ben@example.org', 'group:help desk'],
  groupsClaim: 'roles',
  acceptsUnmarkedEmail: false,
};

describe('roleOfClaims', () => {
  it.each([
    ['an email in another case', { email: 'ANN@example.org', email_verified: true }, 'operator'],
    ['a verified email', { email: 'ben@example.org', email_verified: true }, 'support'],
    ['an email without a mark', { email: 'ann@example.org' }, undefined],
    ['an email that is not verified', { email: 'ann@example.org', email_verified: false }, undefined],
    ['one that is not verified, as a text', { email: 'ann@example.org', email_verified: 'false' }, undefined],
    ['a group', { roles: ['staff', 'help desk'] }, 'support'],
    ['one group as a text', { roles: 'sre' }, 'operator'],
    ['the higher one of two', { email: 'ben@example.org', email_verified: true, roles: ['sre'] }, 'operator'],
    ['a group in another claim', { groups: ['sre'] }, undefined],
    ['a group of another case', { roles: ['SRE'] }, undefined],
    ['an email that is called like a group', { email: 'group:sre', email_verified: true }, undefined],
    ['nothing at all', {}, undefined],
  ])('goes by %s', (_, claims, role) => {
    expect(roleOfClaims([claims], LISTS)).toBe(role);
  });

  it('takes everybody where the list says so', () => {
    expect(roleOfClaims([{ sub: '1' }], { ...LISTS, support: ['*'] })).toBe('support');
  });
});

describe('nameOfClaims', () => {
  it('is the email, and never a name alone that people choose themselves', () => {
    const claims = { sub: '7', preferred_username: 'ann@example.org' };

    const email = 'Eve@example.org';

    expect(nameOfClaims([{ ...claims, email, email_verified: true }], LISTS)).toBe('eve@example.org');
    expect(nameOfClaims([{ ...claims, email }], LISTS)).toBe('ann@example.org (7)');
    expect(nameOfClaims([{ ...claims, email }], { ...LISTS, acceptsUnmarkedEmail: true })).toBe(
      'eve@example.org',
    );
    expect(nameOfClaims([{ sub: '7', email, email_verified: false }], LISTS)).toBe('7');
  });
});
