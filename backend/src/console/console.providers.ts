import { hostname } from 'node:os';
import type { Provider } from '@nestjs/common';
import type { Config } from '../config/config.ts';
import type { RecentRejections } from '../outcome/recent-rejections.ts';
import type { Relay } from '../relay/relay.ts';
import type { Spool } from '../spool/spool.ts';
import { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import { Sessions } from './auth/sessions.ts';
import { SignInThrottle } from './auth/sign-in-throttle.ts';
import { Audit } from './auth/audit.ts';
import { ConsoleTokens } from './auth/tokens.ts';
import { Delivery } from './delivery/delivery-report.ts';
import { Search } from './look-up/search.ts';
import { LiveFeed } from './live/live-feed.ts';
import { Eraser } from './erasure/eraser.ts';
import { IdentityProvider } from './auth/oidc/identity-provider.ts';
import { PROVIDER_SIGN_IN } from './auth/oidc/oidc.controller.ts';
import { ProviderSignIn } from './auth/oidc/provider-sign-in.ts';
import { SignInLinks } from './auth/sign-in-links.ts';
import { DeliveryStatus } from './look-up/delivery-status.ts';

/** What the console looks at. */
export interface ConsoleParts {
  readonly store: EventStore;
  readonly spool: Spool;
  readonly relay: Relay;
  readonly refusals: RecentRejections;
  readonly projects: readonly { readonly project: string; readonly hasUpstream: boolean }[];
  readonly erasing: Eraser;
}

/** The console's parts for Nest. */
export function consoleProviders(
  { store, spool, relay, refusals, projects, erasing }: ConsoleParts,
  config: Config,
  log: Log,
): Provider[] {
  const codes = new SignInLinks();
  const signIn = providerSignIn(config, log);
  return [
    { provide: EventStore, useValue: store },
    {
      provide: Delivery,
      useValue: new Delivery(
        { spool, relay, store, refusals },
        config.databaseUrl === null ? null : hostname(),
      ),
    },
    { provide: Search, useValue: new Search({ store, spool, refusals }, config.retentionDays) },
    { provide: DeliveryStatus, useValue: new DeliveryStatus(spool, relay, projects) },
    { provide: LiveFeed, useValue: new LiveFeed(store) },
    { provide: SignInLinks, useValue: codes },
    { provide: SignInThrottle, useValue: new SignInThrottle() },
    { provide: Sessions, useValue: accessOf(config, store, codes) },
    { provide: Audit, useValue: new Audit(store, log) },
    { provide: Eraser, useValue: erasing },
    { provide: PROVIDER_SIGN_IN, useValue: signIn },
  ];
}

function accessOf(config: Config, store: EventStore, codes: SignInLinks): Sessions {
  const tokens = new ConsoleTokens({ operator: config.consoleToken, support: config.supportToken });
  const limits = { idleMs: config.sessionIdleMs, maxMs: config.sessionMaxMs };
  return new Sessions({ tokens, codes, hasProvider: config.oidcIssuer !== null }, store, limits);
}

function providerSignIn(config: Config, log: Log): ProviderSignIn | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcGroupsClaim: groupsClaim } = config;
  if (issuer === null || clientId === null) return null;
  const lists = { operators: config.oidcOperators, support: config.oidcSupport, groupsClaim };
  const needsGroups = [...lists.operators, ...lists.support].some((entry) => entry.startsWith('group:'));
  const wanted = needsGroups ? ['email', groupsClaim] : ['email'];
  const secret = config.oidcClientSecret;
  const provider = new IdentityProvider({
    issuer,
    clientId,
    clientSecret: secret,
    scope: config.oidcScope,
    wanted,
  });
  return new ProviderSignIn(provider, lists, log);
}
