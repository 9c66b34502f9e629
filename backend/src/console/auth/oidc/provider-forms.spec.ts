import { readConfig } from '../../../config/config.ts';
import { refusalOf, roleOfClaims } from './role-mapping.ts';
import type { ClaimSources } from './user-claims.ts';

interface SignIn {
  readonly operators?: string;
  readonly support?: string;
  readonly claim?: string;
  readonly accept?: 'on';
  readonly sources: ClaimSources;
}

/** Returns the role that the settings give to a user of a provider, or the reason of the refusal. */
function outcomeOf({ operators = '', support = '', claim = 'groups', accept, sources }: SignIn): string {
  const config = readConfig({
    OIDC_OPERATORS: operators,
    OIDC_SUPPORT: support,
    OIDC_GROUPS_CLAIM: claim,
    OIDC_ACCEPT_UNVERIFIED_EMAIL: accept,
  });
  const lists = {
    operators: config.oidcOperators,
    support: config.oidcSupport,
    groupsClaim: config.oidcGroupsClaim,
    acceptsUnmarkedEmail: config.oidcAcceptUnverifiedEmail,
  };
  return roleOfClaims(sources, lists) ?? refusalOf(sources, lists).reason;
}

const SRE_ID = '0f3c9b1e-5a7d-4c55-9d41-9b7c0a2e6f11';
const SRE_DN = 'cn=sre,ou=groups,dc=example,dc=org';
const ZITADEL_ROLES = 'urn:zitadel:iam:org:project:roles';

it.each<[string, SignIn, string]>([
  // Entra ID names groups by object IDs, sends no email_verified, and no groups at all above 200.
  [
    'Entra ID, a group',
    { operators: `group:${SRE_ID}`, sources: [{ sub: 'u', groups: [SRE_ID] }] },
    'operator',
  ],
  ['Entra ID, its name', { operators: 'group:sre', sources: [{ sub: 'u', groups: [SRE_ID] }] }, 'not_listed'],
  [
    'Entra ID, an app role',
    { claim: 'roles', support: 'group:Errata.Read', sources: [{ roles: ['Errata.Read'] }] },
    'support',
  ],
  [
    'Entra ID, too many groups',
    {
      operators: `group:${SRE_ID}`,
      sources: [{ _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }, { sub: 'u' }],
    },
    'no_groups_claim',
  ],
  ['Entra ID, a subject', { operators: 'sub:AAxx_9', sources: [{ sub: 'AAxx_9' }] }, 'operator'],
  [
    'Entra ID, an address',
    { operators: 'ann@example.org', sources: [{ email: 'Ann@example.org' }] },
    'no_email_verified',
  ],
  [
    'Entra ID, an address, accepted',
    { operators: 'ann@example.org', accept: 'on', sources: [{ email: 'Ann@example.org' }] },
    'operator',
  ],
  [
    'Entra ID, an address, with lists of groups only',
    { operators: `group:${SRE_ID}`, sources: [{ email: 'ann@example.org', groups: ['x'] }] },
    'not_listed',
  ],
  [
    'Keycloak, a realm role',
    {
      claim: 'realm_access.roles',
      operators: 'group:sre',
      sources: [{ sub: 'u' }, { realm_access: { roles: ['offline_access', 'sre'] } }],
    },
    'operator',
  ],
  [
    'Keycloak, a role of a client with dots in its name',
    {
      claim: 'resource_access.errata.example.org.roles',
      support: 'group:reader',
      sources: [{ resource_access: { 'errata.example.org': { roles: ['reader'] } } }],
    },
    'support',
  ],
  [
    'Keycloak, the path of a group',
    { operators: 'group:/ops/sre', sources: [{ groups: ['/ops/sre'] }] },
    'operator',
  ],
  ['Keycloak, only the name', { operators: 'group:sre', sources: [{ groups: ['/sre'] }] }, 'not_listed'],
  [
    'Keycloak, an unverified address',
    { operators: 'ann@example.org', sources: [{ email: 'ann@example.org', email_verified: false }] },
    'email_not_verified',
  ],
  [
    'Google, an address',
    { support: 'ann@example.org', sources: [{ email: 'ann@example.org', email_verified: true }] },
    'support',
  ],
  [
    'Google, the domain',
    { claim: 'hd', support: 'group:example.org', sources: [{ hd: 'example.org', email: 'ann@example.org' }] },
    'support',
  ],
  [
    'Google, a private account',
    {
      claim: 'hd',
      support: 'group:example.org',
      sources: [{ email: 'ann@gmail.com', email_verified: true }],
    },
    'no_groups_claim',
  ],
  [
    'Zitadel, a role',
    {
      claim: ZITADEL_ROLES,
      operators: 'group:sre',
      sources: [{ sub: 'u' }, { [ZITADEL_ROLES]: { sre: { '219304': 'example.org' } } }],
    },
    'operator',
  ],
  [
    'Zitadel, a role without an organisation',
    { claim: ZITADEL_ROLES, operators: 'group:sre', sources: [{ [ZITADEL_ROLES]: { sre: {} } }] },
    'not_listed',
  ],
  ['Dex, a team of GitHub', { operators: 'group:acme:sre', sources: [{ groups: ['acme:sre'] }] }, 'operator'],
  [
    'Dex, a user without groups',
    { operators: 'group:acme:sre', sources: [{ email: 'ann@example.org', email_verified: true }] },
    'no_groups_claim',
  ],
  [
    'Cognito, a group',
    { claim: 'cognito:groups', support: 'group:helpdesk', sources: [{ 'cognito:groups': ['helpdesk'] }] },
    'support',
  ],
  [
    'Cognito, the mark as a text',
    {
      support: 'ann@example.org',
      sources: [{ sub: 'u' }, { email: 'ann@example.org', email_verified: 'true' }],
    },
    'support',
  ],
  [
    'Cognito, an address that its user changed',
    { support: 'ann@example.org', sources: [{ email: 'ann@example.org', email_verified: 'false' }] },
    'email_not_verified',
  ],
  [
    'LDAP, a group by its DN',
    { operators: `ann@example.org, "group:${SRE_DN}"`, sources: [{ groups: [SRE_DN] }] },
    'operator',
  ],
  [
    'LDAP, only the name in quotes',
    { operators: `group:"${SRE_DN}",ben@example.org`, sources: [{ groups: [SRE_DN] }] },
    'operator',
  ],
  [
    'LDAP, a name with a quote',
    { support: '"group:cn=5"" disks,ou=groups"', sources: [{ groups: ['cn=5" disks,ou=groups'] }] },
    'support',
  ],
  ['LDAP, a part of a DN', { operators: 'group:cn=sre', sources: [{ groups: [SRE_DN] }] }, 'not_listed'],
])('%s', (_user, signIn, outcome) => {
  expect(outcomeOf(signIn)).toBe(outcome);
});

it('says in the refusal which groups and which claims arrived, without values of other claims', () => {
  const sources = [
    { sub: 'u', groups: ['/errata-admin'] },
    { sub: 'u', email: 'ann@example.org' },
  ];
  const lists = {
    operators: ['group:errata-admin'],
    support: [],
    groupsClaim: 'groups',
    acceptsUnmarkedEmail: false,
  };

  expect(refusalOf(sources, lists)).toEqual({
    reason: 'not_listed',
    groupsClaim: 'groups',
    groups: ['/errata-admin'],
    claims: ['sub', 'groups', 'email'],
  });
});
