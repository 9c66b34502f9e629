/**
 * The SDK. Only ever imported lazily (its chunk is named after this file, and ad-blockers know the SDK's name).
 * It must not collect who somebody is: no cookies, no query strings, no fragments (a sign-in code stands in one),
 * no console output, no address.
 */
import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import {
  BrowserClient,
  breadcrumbsIntegration,
  captureException,
  dedupeIntegration,
  defaultStackParser,
  flush,
  getCurrentScope,
  httpContextIntegration,
  linkedErrorsIntegration,
  type Breadcrumb,
  type ErrorEvent,
  type Event,
} from '@sentry/react';
import { makeOfflineTransport } from './offline-transport.ts';
import type { Report, Send } from './reporter.ts';

/** Tag that ties the browser's half of a failure to the server's. */
const SERVER_DIGEST_TAG = 'errata.server_digest';

function withoutFragment(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/#.*$/, '') : url;
}

function cleanBreadcrumb(breadcrumb: Breadcrumb): Breadcrumb {
  if (breadcrumb.data === undefined) return breadcrumb;
  const { from, to, url, ...rest } = breadcrumb.data;
  return {
    ...breadcrumb,
    data: {
      ...rest,
      ...(from !== undefined && { from: withoutFragment(from) }),
      ...(to !== undefined && { to: withoutFragment(to) }),
      ...(url !== undefined && { url: withoutFragment(url) }),
    },
  };
}

function cleanEvent(event: ErrorEvent): ErrorEvent {
  if (event.request?.url === undefined) return event;
  return { ...event, request: { ...event.request, url: event.request.url.replace(/[?#].*$/, '') } };
}

/** An earlier page's error: what the SDK adds of this page is not its. */
function placeOf({ earlierPage }: Report, event: Event): Partial<Event> {
  if (earlierPage === undefined) return {};
  const { release, url } = earlierPage;
  return { release, request: { ...event.request, url }, breadcrumbs: [] };
}

function send(report: Report): void {
  const { error, eventId, context, at, serverDigest } = report;
  captureException(error, {
    event_id: eventId,
    // A thrown string has no stack; the SDK would give it ours, and one digest to all thrown strings.
    syntheticException: undefined,
    mechanism: {
      type: `auto.errata.${context.source}`,
      handled: context.source === 'boundary' || context.source === 'query',
    },
    captureContext: (scope) => {
      scope.addEventProcessor((event) => ({ ...event, ...placeOf(report, event), timestamp: at / 1000 }));
      // A context, not a cause: the digest counts causes, and the path of components changes with the layout.
      if (context.componentStack) scope.setContext('react', { componentStack: context.componentStack });
      if (serverDigest !== null) scope.setTag(SERVER_DIGEST_TAG, serverDigest);
      return scope;
    },
  });
}

/** Not `init`: it brings integrations we switch off, and with them what the budget has left. */
export function startLateClient(
  settings: BrowserSettings,
  transport: ConstructorParameters<typeof BrowserClient>[0]['transport'] = makeOfflineTransport,
): Send {
  const client = new BrowserClient({
    dsn: settings.dsn,
    tunnel: settings.tunnel,
    release: settings.release,
    environment: settings.environment,
    transport,
    stackParser: defaultStackParser,
    attachStacktrace: false,
    integrations: [
      breadcrumbsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      linkedErrorsIntegration(),
    ],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: { request: { allow: ['User-Agent'] }, response: false },
      httpBodies: [],
      urlQueryParams: false,
      stackFrameVariables: false,
    },
    beforeBreadcrumb: cleanBreadcrumb,
    beforeSend: cleanEvent,
  });
  getCurrentScope().setClient(client);
  client.init();
  return send;
}

/** Resolves once everything given to it was sent or is kept; false when that cannot be said. */
export async function sentOrQueued(): Promise<boolean> {
  return flush();
}
