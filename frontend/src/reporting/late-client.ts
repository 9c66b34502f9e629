/**
 * Starts the SDK. Imported lazily only; its chunk is named after this file, because ad blockers know the SDK's name. It
 * must not collect personal data: no cookies, no query strings, no fragments (one can hold a sign-in code), no console
 * output, no IP address.
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

/** Tag that links the browser's event to the server's. */
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

/** Replaces release, URL and breadcrumbs, which the SDK sets for this page, by those of the earlier page. */
function placeOf({ earlierPage }: Report, event: Event): Partial<Event> {
  if (earlierPage === undefined) return {};
  const { release, url } = earlierPage;
  return { release, request: { ...event.request, url }, breadcrumbs: [] };
}

function send(report: Report): void {
  const { error, eventId, context, at, serverDigest } = report;
  captureException(error, {
    event_id: eventId,
    // A thrown string has no stack; the SDK would add its own, and all thrown strings would get one digest.
    syntheticException: undefined,
    mechanism: {
      type: `auto.errata.${context.source}`,
      handled: context.source === 'boundary' || context.source === 'query',
    },
    captureContext: (scope) => {
      scope.addEventProcessor((event) => ({ ...event, ...placeOf(report, event), timestamp: at / 1000 }));
      // As a context, not as a cause: causes are part of the digest, and the component stack changes with the layout.
      if (context.componentStack) scope.setContext('react', { componentStack: context.componentStack });
      if (serverDigest !== null) scope.setTag(SERVER_DIGEST_TAG, serverDigest);
      return scope;
    },
  });
}

/** Starts the client without `init`, which adds integrations that are not used and would exceed the size budget. */
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

/** Resolves to true when all reports are sent or queued, to false when this is unknown. */
export async function sentOrQueued(): Promise<boolean> {
  return flush();
}
