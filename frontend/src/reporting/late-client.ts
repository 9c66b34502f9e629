/**
 * Starts the SDK. Imported lazily only; its chunk is named after this file, because ad blockers know the SDK's name. It
 * must not collect personal data: no cookies, no query strings, no fragments (one can hold a sign-in code), no console
 * output, no IP address.
 */
import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import {
  BrowserClient,
  dedupeIntegration,
  defaultStackParser,
  httpContextIntegration,
  linkedErrorsIntegration,
  Scope,
  type ErrorEvent,
  type Event,
} from '@sentry/react';
import { makeOfflineTransport } from './offline-transport.ts';
import { trailOf, withoutQuery } from './page-trail.ts';
import type { CaptureSource, Report, Send } from './reporter.ts';
import { flatten, revive } from './thrown-value.ts';

/** Tags that link the browser's event to the server's. */
const SERVER_DIGEST_TAG = 'errata.server_digest';
const SERVER_REFERENCE_TAG = 'errata.server_reference';

/** Sources of errors that no code of the application has caught. */
const UNHANDLED: ReadonlySet<CaptureSource> = new Set(['root', 'onerror', 'onunhandledrejection']);

function cleanEvent(event: ErrorEvent): ErrorEvent {
  if (event.request?.url === undefined) return event;
  return { ...event, request: { ...event.request, url: withoutQuery(event.request.url) } };
}

/** Release, URL and breadcrumbs of an earlier page, in place of those that the SDK sets for this page. */
function placeOf({ earlierPage }: Report, event: Event): Partial<Event> {
  if (earlierPage === undefined) return {};
  const { release, url } = earlierPage;
  return { release, request: { ...event.request, url }, breadcrumbs: [] };
}

function serverTags({ serverDigest, serverReference }: Report): Event['tags'] {
  if (serverDigest === null) return undefined;
  return {
    [SERVER_DIGEST_TAG]: serverDigest,
    ...(serverReference !== null && { [SERVER_REFERENCE_TAG]: serverReference }),
  };
}

/** What an event has of its own report. As a last step it replaces what the application has set for all of its events. */
function ownParts(report: Report, trail: Scope, { extra }: Event): (event: Event) => Event {
  const { context, at } = report;
  const { breadcrumbs } = trail.getScopeData();
  return (event) => ({
    ...event,
    extra,
    user: undefined,
    fingerprint: undefined,
    breadcrumbs,
    // As a context, not as a cause: causes are part of the digest, and the component stack changes with the layout.
    contexts: context.componentStack ? { react: { componentStack: context.componentStack } } : undefined,
    tags: serverTags(report),
    ...placeOf(report, event),
    timestamp: at / 1000,
  });
}

/** @throws, or rejects, when the error throws where the SDK reads it. */
function eventOf(client: BrowserClient, eventId: string, error: unknown): PromiseLike<Event> {
  // Without `syntheticException`: a thrown string would get the SDK's stack, and all thrown strings one digest.
  return client.eventFromException(error, { event_id: eventId }).then((event) => {
    linkedErrorsIntegration().preprocessEvent?.(event, { originalException: error }, client);
    return event;
  });
}

/** Returns the event of an error, or of the parts of it that can be read. */
function readableEventOf(client: BrowserClient, { eventId, error }: Report): PromiseLike<Event> {
  const ofParts = () => eventOf(client, eventId, revive(flatten(error)));
  try {
    return eventOf(client, eventId, error).then((event) => event, ofParts);
  } catch {
    return ofParts();
  }
}

/** Not by `captureException`: it drops an error that another client has marked as captured, and marks it for the others. */
function sendWith(client: BrowserClient, trail: Scope, report: Report): void {
  const { eventId, context } = report;
  void readableEventOf(client, report).then((event) => {
    const mechanism = { type: `auto.errata.${context.source}`, handled: !UNHANDLED.has(context.source) };
    // The SDK would take the application's for the second scope of an event.
    const sdkProcessingMetadata = { capturedSpanIsolationScope: new Scope() };
    const scope = trail.clone().addEventProcessor(ownParts(report, trail, event));
    client.captureEvent({ ...event, sdkProcessingMetadata }, { mechanism }, scope);
    const last = event.exception?.values?.at(-1);
    const message = last === undefined ? event.message : `${last.type}: ${last.value}`;
    trail.addBreadcrumb({ category: 'sentry.event', level: 'error', event_id: eventId, message });
  });
}

/** The SDK, started. */
interface LateClient {
  readonly send: Send;
  /** Resolves to true when all reports are sent or queued, to false when this is unknown. */
  readonly sentOrQueued: () => Promise<boolean>;
  /** Ends the client; what it has is still sent or queued. */
  readonly close: () => void;
}

/**
 * Starts a client beside those that the application may have: it has its own scope, so that it neither replaces a client of
 * theirs nor takes over their user and tags. `init` would, and it adds integrations that exceed the size budget.
 */
export function startLateClient(
  settings: BrowserSettings,
  transport: ConstructorParameters<typeof BrowserClient>[0]['transport'] = makeOfflineTransport,
): LateClient {
  const client = new BrowserClient({
    dsn: settings.dsn,
    tunnel: settings.tunnel,
    release: settings.release,
    environment: settings.environment,
    transport,
    stackParser: defaultStackParser,
    attachStacktrace: false,
    integrations: [dedupeIntegration(), httpContextIntegration()],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: { request: { allow: ['User-Agent'] }, response: false },
      httpBodies: [],
      urlQueryParams: false,
      stackFrameVariables: false,
    },
    beforeSend: cleanEvent,
  });
  client.init();
  const { trail, look } = trailOf(window);
  const send = (report: Report) => {
    look();
    sendWith(client, trail, report);
  };
  return { send, sentOrQueued: async () => client.flush(), close: () => void client.close() };
}
