import { z } from 'zod';
import { secret, setting } from './setting.ts';
import { count, durationMs, issuerUrl, listOf, onOff } from './value-types.ts';

const token = z
  .string()
  .min(16, 'expected at least 16 characters: it is the key to every stored error')
  .max(512, 'expected at most 512 characters');
const text = z.string().min(1, 'expected some text');

/** Who may look into the console and who may change something there; see settings.ts. */
export const ACCESS_SETTINGS = {
  consoleToken: secret(
    'ERRATA_CONSOLE_TOKEN',
    token,
    'Token that opens the console to operators. Without it, without ERRATA_SUPPORT_TOKEN and without OIDC_ISSUER the console is closed.',
  ),
  supportToken: secret(
    'ERRATA_SUPPORT_TOKEN',
    token,
    'Token that opens the console to support: it finds and reads, and changes nothing.',
  ),
  consoleLink: setting(
    'ERRATA_CONSOLE_LINK',
    onOff,
    'off',
    'Print the addresses and a one-time sign-in link to standard error at start, for a person at a terminal (make start).',
  ),
  publishedOnLoopback: setting(
    'ERRATA_PUBLISHED_ON_LOOPBACK',
    onOff,
    'off',
    'The port is published on loopback of its host and nowhere else, as docker/compose.yaml does: the console then lets browsers of that host sign in over plain http. Without it that takes https, since a container sees the address of its network.',
  ),
  sessionIdleMs: setting(
    'ERRATA_SESSION_IDLE',
    durationMs,
    '12h',
    'A console session ends when it was not used for this long: one working day.',
  ),
  sessionMaxMs: setting(
    'ERRATA_SESSION_MAX',
    durationMs,
    '7d',
    'A console session ends after this long in any case. A role that OpenID Connect gave holds as long: revoke the session to take it away sooner.',
  ),
  auditDays: setting(
    'ERRATA_AUDIT_DAYS',
    count,
    '400',
    'Days the audit log keeps who looked up and changed what: a year, which reviews look back over, and a month to make one in.',
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    issuerUrl,
    null,
    'OpenID Connect provider that signs people in, as its tokens name it; `/.well-known/openid-configuration` below it is read. Register `<origin>/console/api/oidc/return` there as the redirect URI.',
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', text, null, 'Name of Errata at the provider.'),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    text,
    'Secret of Errata at the provider. Without it Errata is a public client: PKCE alone protects the code.',
  ),
  oidcScope: setting(
    'OIDC_SCOPE',
    z.string().refine((scope) => scope.split(' ').includes('openid'), 'expected a scope with openid in it'),
    'openid email profile',
    'What is asked of the provider; add what its groups need, where it has a scope for them.',
  ),
  oidcOperators: setting(
    'OIDC_OPERATORS',
    listOf(text),
    '',
    'Who is an operator, comma-separated: emails, `group:<name>`, or `*` for everybody the provider lets in. An email counts unless the provider says that it is not verified.',
  ),
  oidcSupport: setting(
    'OIDC_SUPPORT',
    listOf(text),
    '',
    'Who reads, in the same form; who stands in neither list is turned away.',
  ),
  oidcGroupsClaim: setting(
    'OIDC_GROUPS_CLAIM',
    text,
    'groups',
    'Claim that lists the groups of a person, in the ID token or the answer of the userinfo endpoint.',
  ),
} as const;
