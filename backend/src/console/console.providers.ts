import { hostname } from 'node:os';
import type { Provider } from '@nestjs/common';
import type { Config } from '../config/config.ts';
import { trustedHops } from '../net/client-address.ts';
import type { RecentRejections } from '../outcome/recent-rejections.ts';
import type { Relay } from '../relay/relay.ts';
import type { Spool } from '../spool/spool.ts';
import { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import { Audit } from './auth/audit.ts';
import { IdentityProvider } from './auth/oidc/identity-provider.ts';
import { TRUSTED_PROXY } from './auth/same-origin.guard.ts';
import { PROVIDER_SIGN_IN } from './auth/oidc/oidc.controller.ts';
import { ProviderSignIn } from './auth/oidc/provider-sign-in.ts';
import { hasGroups } from './auth/oidc/role-mapping.ts';
import { Sessions } from './auth/sessions.ts';
import { SignInLinks } from './auth/sign-in-links.ts';
import { SignInThrottle } from './auth/sign-in-throttle.ts';
import { ConsoleTokens } from './auth/tokens.ts';
import { DeliveryReport } from './delivery/delivery-report.ts';
import { Eraser } from './erasure/eraser.ts';
import { LiveFeed } from './live/live-feed.ts';
import { DeliveryStatus } from './look-up/delivery-status.ts';
import { DSN_LIST, dsnList } from './look-up/dsns.controller.ts';
import { Search } from './look-up/search.ts';

/**
 * The console: an HTTP API to find errors, decide about them, and check that no event was lost. Every route below
 * /console/api must have a guard, and none may return a DSN's secret, a token or an unscrubbed event.
 */

/** The parts of the server that the console reads and changes. */
export interface ConsoleParts {
  readonly store: EventStore;
  readonly spool: Spool;
  readonly relay: Relay;
  readonly rejections: RecentRejections;
  readonly projects: readonly { readonly project: string; readonly hasUpstream: boolean }[];
  readonly eraser: Eraser;
}

/** Creates the console's objects as Nest providers. */
export function consoleProviders(
  { store, spool, relay, rejections, projects, eraser }: ConsoleParts,
  config: Config,
  log: Log,
): Provider[] {
  const links = new SignInLinks();
  // Without a shared database there is one process, which needs no name.
  const host = config.databaseUrl === null ? null : hostname();
  return [
    { provide: EventStore, useValue: store },
    { provide: DeliveryReport, useValue: new DeliveryReport({ spool, relay, store, rejections }, host) },
    { provide: Search, useValue: new Search({ store, spool, rejections }, config.retentionDays) },
    { provide: DeliveryStatus, useValue: new DeliveryStatus(spool, relay, projects) },
    { provide: LiveFeed, useValue: new LiveFeed(store) },
    { provide: SignInLinks, useValue: links },
    { provide: SignInThrottle, useValue: new SignInThrottle() },
    { provide: Sessions, useValue: sessionsOf(config, store, links) },
    { provide: Audit, useValue: new Audit(store, log) },
    { provide: TRUSTED_PROXY, useValue: trustedHops(config.trustProxy) },
    { provide: Eraser, useValue: eraser },
    { provide: DSN_LIST, useValue: dsnList(projects, config.tunnelPath) },
    { provide: PROVIDER_SIGN_IN, useValue: providerSignIn(config, log) },
  ];
}

function sessionsOf(config: Config, store: EventStore, links: SignInLinks): Sessions {
  const tokens = new ConsoleTokens({ operator: config.consoleToken, support: config.supportToken });
  const limits = { idleMs: config.sessionIdleMs, maxMs: config.sessionMaxMs };
  return new Sessions({ tokens, links, hasProvider: config.oidcIssuer !== null }, store, limits);
}

function providerSignIn(config: Config, log: Log): ProviderSignIn | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcGroupsClaim: groupsClaim } = config;
  if (issuer === null || clientId === null) return null;
  const lists = {
    operators: config.oidcOperators,
    support: config.oidcSupport,
    groupsClaim,
    acceptsUnmarkedEmail: config.oidcAcceptUnverifiedEmail,
  };
  const needsGroups = hasGroups([...lists.operators, ...lists.support]);
  const provider = new IdentityProvider({
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret,
    scope: config.oidcScope,
    wanted: ['email', 'email_verified', ...(needsGroups ? [groupsClaim] : [])],
  });
  return new ProviderSignIn(provider, lists, log);
}
