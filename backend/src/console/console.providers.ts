import { hostname } from 'node:os';
import type { InjectionToken, Provider } from '@nestjs/common';
import type { AlertChannel } from '../alerts/alert-channel.ts';
import { type Config, publicUrlOf } from '../config/config.ts';
import type { Clients } from '../net/client-address.ts';
import type { DeliveryHistory } from '../outcome/delivery-history.ts';
import type { RecentRejections } from '../outcome/recent-rejections.ts';
import type { RejectedDsns } from '../outcome/rejected-dsns.ts';
import type { Relay } from '../relay/relay.ts';
import type { Spool } from '../spool/spool.ts';
import { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import { countBy, type Metrics } from '../telemetry/metrics.ts';
import { AlertReport } from './alerts/alert-report.ts';
import { Audit } from './auth/audit.ts';
import { IdentityProvider } from './auth/oidc/identity-provider.ts';
import { TRUSTED_PROXY } from './auth/same-origin.guard.ts';
import { PROVIDER_SIGN_IN } from './auth/oidc/oidc.controller.ts';
import { ProviderSignIn } from './auth/oidc/provider-sign-in.ts';
import { hasGroups } from './auth/oidc/role-mapping.ts';
import { Sessions } from './auth/sessions.ts';
import { SignInLinks } from './auth/sign-in-links.ts';
import { SIGN_IN_OUTCOMES, SignInRecord } from './auth/sign-in-record.ts';
import { SignInThrottle } from './auth/sign-in-throttle.ts';
import { ConsoleTokens } from './auth/tokens.ts';
import { DeliveryReport } from './delivery/delivery-report.ts';
import { Eraser } from './erasure/eraser.ts';
import { DeliveryStatus } from './find/delivery-status.ts';
import { Finder } from './find/finder.ts';
import { OWN_PAGES, type OwnPages } from './find/own-pages.ts';
import { SETUP_SOURCE, type SetupSource } from './setup/setup.controller.ts';

/**
 * The console: an HTTP API to find errors, decide about them, and check that no event was lost. Every route below
 * /console/api must have a guard, and none may return a DSN's secret, a token or an unscrubbed event.
 */

type ConsoleProject = SetupSource['projects'][number] & { readonly hasUpstream: boolean };

/** The parts of the server that the console reads and changes. */
interface ConsoleParts {
  readonly clients: Clients;
  readonly store: EventStore;
  readonly spool: Spool;
  readonly relay: Relay;
  readonly rejections: RecentRejections;
  readonly rejectedDsns: RejectedDsns;
  readonly history: DeliveryHistory;
  readonly projects: readonly [ConsoleProject, ...ConsoleProject[]];
  readonly eraser: Eraser;
  readonly alerts: readonly { readonly channel: AlertChannel }[];
  readonly options: {
    readonly config: Config;
    readonly log: Log;
    readonly metrics: Metrics;
    readonly isHosted?: boolean;
  };
}

/** Nest token of the {@link ConsoleParts}, which may open while Nest creates its providers. */
export const CONSOLE_PARTS = Symbol('console parts');

/** Creates the console's objects as Nest providers. */
export function consoleProviders(): Provider[] {
  return [
    { provide: SignInThrottle, useFactory: () => new SignInThrottle() },
    { provide: SignInLinks, useFactory: () => new SignInLinks() },
    { provide: Sessions, useFactory: sessionsOf, inject: [CONSOLE_PARTS, SignInLinks] },
    fromParts(EventStore, ({ store }) => store),
    fromParts(DeliveryReport, deliveryReport),
    fromParts(AlertReport, alertReport),
    fromParts(Finder, (parts) => new Finder(parts, parts.options.config.retentionDays)),
    fromParts(DeliveryStatus, ({ spool, relay, projects }) => new DeliveryStatus(spool, relay, projects)),
    fromParts(OWN_PAGES, ownPages),
    fromParts(Audit, ({ store, options }) => new Audit(store, options.log)),
    fromParts(TRUSTED_PROXY, ({ clients }) => clients.isTrusted),
    fromParts(Eraser, ({ eraser }) => eraser),
    fromParts(SETUP_SOURCE, setupSource),
    fromParts(SignInRecord, signInRecord),
    { provide: PROVIDER_SIGN_IN, useFactory: providerSignIn, inject: [CONSOLE_PARTS, Audit] },
  ];
}

function fromParts<T>(provide: InjectionToken<T>, useFactory: (parts: ConsoleParts) => T): Provider {
  return { provide, useFactory, inject: [CONSOLE_PARTS] };
}

function ownPages({ projects: [own], options: { config } }: ConsoleParts): OwnPages {
  return { project: own.project, areHelpful: config.errorPage === 'helpful' };
}

function deliveryReport(parts: ConsoleParts): DeliveryReport {
  const { spoolMaxAgeMs } = parts.options.config;
  return new DeliveryReport(parts, hostOf(parts), policyOf(parts), spoolMaxAgeMs);
}

function alertReport({ store, alerts, options: { config } }: ConsoleParts): AlertReport {
  const channels = alerts.map(({ channel }) => channel);
  return new AlertReport(store, channels, publicUrlOf(config));
}

function setupSource({ projects, options: { config } }: ConsoleParts): SetupSource {
  return { projects, publicUrl: config.publicUrl, tunnel: config.tunnelPath, release: config.release };
}

/** Without a shared database there is one process, which needs no name. */
function hostOf({ options }: ConsoleParts): string | null {
  return options.config.databaseUrl === null ? null : hostname();
}

/** Another application, and the built-in client, have a policy that no setting changes. */
function policyOf({ options: { config, isHosted } }: ConsoleParts): Config['cspExtra'] | null {
  return isHosted === true || config.clientDir === null || config.csp === 'off' ? null : config.cspExtra;
}

function sessionsOf({ store, options: { config } }: ConsoleParts, links: SignInLinks): Sessions {
  const tokens = new ConsoleTokens({ operator: config.consoleToken, support: config.supportToken });
  const limits = { idleMs: config.sessionIdleMs, maxMs: config.sessionMaxMs };
  return new Sessions({ tokens, links, hasProvider: config.oidcIssuer !== null }, store, limits);
}

function signInRecord({ options: { config, log, metrics } }: ConsoleParts): SignInRecord {
  return new SignInRecord(countBy(metrics.signIns, SIGN_IN_OUTCOMES), log, config.clientIp);
}

function providerSignIn({ options: { config, log } }: ConsoleParts, audit: Audit): ProviderSignIn | null {
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
    proxy: config,
  });
  return new ProviderSignIn(provider, lists, log, audit);
}
