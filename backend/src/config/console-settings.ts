import { z } from 'zod';
import { count, durationMs, issuerUrl, onOff, origin, secret, setting, someText } from './value-types.ts';
import { alertSettings } from './alert-targets.ts';
import { smtpUrl } from './smtp-url.ts';
import { userList } from './user-list.ts';

const token = z
  .string()
  .min(16, 'expected at least 16 characters: it is the key to every stored error')
  .max(512, 'expected at most 512 characters');

/** Settings of access to the console, its sessions and its alerts; see settings.ts. */
export const CONSOLE_SETTINGS = {
  consoleToken: secret(
    'ERRATA_CONSOLE_TOKEN',
    token,
    'Token that signs operators in to the console. Without it, without ERRATA_SUPPORT_TOKEN and without OIDC_ISSUER the console is closed.',
  ),
  supportToken: secret(
    'ERRATA_SUPPORT_TOKEN',
    token,
    'Token that signs support in to the console, with read-only access.',
  ),
  consoleLink: setting(
    'ERRATA_CONSOLE_LINK',
    onOff,
    'off',
    'Prints the URLs and a one-time sign-in link to standard error at start, for a person at a terminal (make start).',
  ),
  publishedOnLoopback: setting(
    'ERRATA_PUBLISHED_ON_LOOPBACK',
    onOff,
    'off',
    "Set it to on when the container's port is published only on loopback of its host, as docker/compose.yaml does. Browsers on that host can then sign in over plain HTTP. Without it sign-in requires HTTPS, because a container sees the address of its network instead of loopback.",
  ),
  sessionIdleMs: setting(
    'ERRATA_SESSION_IDLE',
    durationMs,
    '12h',
    'A console session ends after this time without a request. The default is one working day.',
  ),
  sessionMaxMs: setting(
    'ERRATA_SESSION_MAX',
    durationMs,
    '7d',
    'A console session always ends after this time. A role from OpenID Connect lasts as long: revoke the session to remove it earlier.',
  ),
  auditDays: setting(
    'ERRATA_AUDIT_DAYS',
    count,
    '400',
    'Days for which the audit log is stored. The default covers a review of one year and a month to do it in.',
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    issuerUrl,
    null,
    "OpenID Connect provider, written as in its tokens' issuer. Errata reads `/.well-known/openid-configuration` below it. Register `<origin>/console/api/oidc/return` there as the redirect URI.",
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', someText, null, 'Client ID of Errata at the provider.'),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    someText,
    'Client secret of Errata at the provider. Without it Errata is a public client, and only PKCE protects the code.',
  ),
  oidcScope: setting(
    'OIDC_SCOPE',
    z.string().refine((scope) => scope.split(' ').includes('openid'), 'expected a scope with openid in it'),
    'openid email profile',
    'Scopes requested from the provider; add the one that carries groups, if it needs one.',
  ),
  oidcOperators: setting(
    'OIDC_OPERATORS',
    userList,
    '',
    'Users with role operator, comma-separated: email addresses, `group:<name>`, `sub:<id>` (the claim `sub`), or `*` for every user of the provider. A value with a comma is in double quotes: `"group:cn=sre,ou=groups"`. An email address counts only if the provider marks it as verified; see OIDC_ACCEPT_UNVERIFIED_EMAIL.',
  ),
  oidcSupport: setting(
    'OIDC_SUPPORT',
    userList,
    '',
    'Users with role support, in the same form. Users in neither list are denied.',
  ),
  oidcAcceptUnverifiedEmail: setting(
    'OIDC_ACCEPT_UNVERIFIED_EMAIL',
    onOff,
    'off',
    'Set it to on for a provider that sends no `email_verified`, such as Entra ID, and whose users cannot choose their address: then an address without this claim counts. An address that the provider marks as not verified never does.',
  ),
  oidcGroupsClaim: setting(
    'OIDC_GROUPS_CLAIM',
    someText,
    'groups',
    "Claim that lists a user's groups, in the ID token or in the response of the userinfo endpoint; or the path to it, such as `realm_access.roles`. The members of an object count as groups.",
  ),
  publicUrl: setting(
    'ERRATA_PUBLIC_URL',
    origin,
    null,
    'Public origin of the console, for example https://errata.example. Links in alerts and the DSNs for servers start with it.',
  ),
  alerts: {
    ...setting(
      'ERRATA_ALERTS',
      alertSettings,
      '',
      'Targets of alerts about new, regressed and frequent issues and problems of Errata, at most 10, separated by blanks or line ends, each with its options: `https://hooks.slack.com/services/… environment=production max=10/m` (docs/alerts.md). Slack, Teams, Discord, Mattermost and Google Chat get messages of their own form, `mailto:oncall@example.com` mail, all others JSON.',
    ),
    isSecret: true,
  },
  smtp: secret(
    'ERRATA_SMTP_URL',
    smtpUrl,
    'Mail server for alerts: `smtps://user:password@mail.example:465`, or `smtp://mail.example:587?from=errata@example.com` (docs/alerts.md). Without `from` the sender is the user, if it is an address, else `errata@` and the host of ERRATA_PUBLIC_URL.',
  ),
} as const;
