import * as Sentry from '@sentry/nestjs';
import { MAX_MESSAGE_LENGTH } from '../digest/fault.ts';
import { type Dsn, canonicalDsn } from '../envelope/dsn.ts';
import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import { appendOwn, digestTags, type OwnProject } from './append-own.ts';
import { MAX_CAUSES, readableError } from './readable-error.ts';

/** Data of a report beside the error. */
export interface ReportContext {
  readonly eventId: string;
  /** Digest for people. */
  readonly digest: string;
  /** The full SHA-256. The store accepts it, because the event comes from the server itself. */
  readonly digestKey: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly route: string | null;
    readonly requestId: string | null;
  } | null;
  /** Tags and user that the application has named for this report. */
  readonly tags?: NonNullable<Sentry.Event['tags']>;
  readonly user?: Sentry.User;
}

export interface ReporterOptions {
  readonly dsn: Dsn;
  readonly hasUpstream: boolean;
  readonly release: string;
  readonly environment: string;
}

/** Maximum time of a flush, ms; the process continues afterwards. */
const FLUSH_MS = 2_000;
/**
 * Most reports on their way to the disk, some 50 KiB each. The SDK drops a report above its buffers (64 by default) without
 * a word, so its buffers have the same size and this bound comes first.
 */
const MAX_PENDING = 500;

/**
 * Most bytes of the exceptions of a report, of the 4 MiB of an event. The frames of a large group of errors have that many
 * lines of source.
 */
const MAX_EXCEPTION_BYTES = 2 * 2 ** 20;
/** Contexts that the integrations of this client add, and the trace. */
const CONTEXTS = new Set(['trace', 'runtime', 'app', 'os', 'device', 'culture', 'cloud_resource']);
/** Properties of an event that come from a scope. */
const SHARED = new Set([
  'user',
  'breadcrumbs',
  'fingerprint',
  'transaction',
  'tags',
  'extra',
  'contexts',
  'request',
]);

/**
 * reporting/ is the server's own Sentry client. Its transport appends to the spool instead of sending, so that a
 * report from the last moment of a process is on disk and not in a socket. It must never collect bodies, cookies,
 * headers or spans: the caller passes the data of a failure explicitly.
 *
 * An application that has these parts may have a Sentry client of its own. So this one is not the client of the process, has
 * scopes of its own, and leaves no mark at an error. It is not initialised either: `init()` of a NodeClient replaces the
 * async context of the process.
 */
export class ServerReporter {
  readonly #client: Sentry.NodeClient;
  readonly #log: Log;
  /** By event id, what ends the wait for a report. */
  readonly #pending = new Map<string, () => void>();

  constructor(spool: Spool, options: ReporterOptions, log: Log) {
    const { hasUpstream } = options;
    const own: OwnProject = { project: canonicalDsn(options.dsn), hasUpstream, source: 'own' };
    this.#log = log;
    this.#client = new Sentry.NodeClient({
      dsn: canonicalDsn(options.dsn),
      release: options.release,
      environment: options.environment,
      sendClientReports: false,
      // Hooks into modules that are loaded later, for spans.
      enableRuntimeChannelInjection: false,
      maxBreadcrumbs: 0,
      maxValueLength: MAX_MESSAGE_LENGTH,
      transportOptions: { bufferSize: MAX_PENDING },
      stackParser: Sentry.defaultStackParser,
      integrations: [],
      transport: (transport) =>
        Sentry.createTransport(transport, async (request) => {
          try {
            return await appendOwn(spool, own, request, Date.now());
          } catch (error) {
            log.error({ err: error }, 'own_report_lost');
            return { statusCode: 503 };
          }
        }),
    });
    this.#client.addIntegration(Sentry.linkedErrorsIntegration({ limit: MAX_CAUSES }));
    this.#client.addIntegration(Sentry.contextLinesIntegration());
    this.#client.addIntegration(Sentry.nodeContextIntegration());
    // After the transport has answered, also with a failure.
    this.#client.on('afterSendEvent', ({ event_id: eventId = '' }) => this.#end(eventId));
  }

  /** Reports a thrown value. Resolves once the report is on disk, or is known to be lost. */
  report(thrown: unknown, context: ReportContext): Promise<void> {
    const { digest, eventId } = context;
    if (this.#pending.size >= MAX_PENDING) {
      this.#log.error({ digest, eventId }, 'own_report_lost');
      return Promise.resolve();
    }
    const ended = new Promise<void>((resolve) => void this.#pending.set(eventId, resolve));
    this.#capture(readableError(thrown), context);
    return ended;
  }

  #capture(thrown: unknown, context: ReportContext): void {
    const hint = { event_id: context.eventId, originalException: thrown };
    const scope = new Sentry.Scope();
    scope.addEventProcessor((prepared) => onlyFailure(prepared, context));
    // At once, so that a flush right after it waits for it.
    void this.#client.eventFromException(thrown, hint).then((event) => {
      const sdkProcessingMetadata = { capturedSpanIsolationScope: new Sentry.Scope() };
      this.#client.captureEvent({ ...event, sdkProcessingMetadata }, hint, scope);
    });
  }

  /** Waits until all reports are on disk, at most 2 s. */
  async flush(): Promise<void> {
    await this.#client.flush(FLUSH_MS);
  }

  /** Ends the client, which holds a listener of the process; later reports are dropped. */
  async close(): Promise<void> {
    await this.#client.close(FLUSH_MS);
    for (const eventId of this.#pending.keys()) this.#end(eventId);
  }

  #end(eventId: string): void {
    this.#pending.get(eventId)?.();
    this.#pending.delete(eventId);
  }
}

/**
 * Returns a prepared event without the data of scopes that all clients of the process share: they may hold users, cookies and
 * breadcrumbs of the application's own reporting.
 */
function onlyFailure(prepared: Sentry.Event, context: ReportContext): Sentry.Event {
  const { digest, digestKey, request, tags, user } = context;
  const event = Object.fromEntries(Object.entries(prepared).filter(([name]) => !SHARED.has(name)));
  const contexts = Object.entries(prepared.contexts ?? {}).filter(([name]) => CONTEXTS.has(name));
  const serialized: unknown = prepared.extra?.['__serialized__'];
  return {
    ...event,
    ...(event.exception !== undefined && { exception: { values: fitting(event.exception.values ?? []) } }),
    tags: {
      ...tags,
      ...digestTags({ shown: digest, key: digestKey }),
      ...(request !== null && request.requestId !== null && { request_id: request.requestId }),
    },
    ...(user !== undefined && { user }),
    contexts: Object.fromEntries(contexts),
    ...(serialized !== undefined && { extra: { __serialized__: serialized } }),
    ...(request !== null && {
      transaction: `${request.method} ${request.route ?? request.path}`,
      request: { method: request.method, url: request.path },
    }),
  };
}

/** Returns the exceptions that fit: the SDK puts the thrown one last, and before it causes and members of groups. */
function fitting(values: readonly Sentry.Exception[]): Sentry.Exception[] {
  let bytes = 0;
  const fits = (value: Sentry.Exception): boolean => {
    bytes += Buffer.byteLength(JSON.stringify(value));
    return bytes <= MAX_EXCEPTION_BYTES;
  };
  return values.toReversed().filter(fits).toReversed();
}
