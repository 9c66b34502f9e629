import * as Sentry from '@sentry/nestjs';
import { type Dsn, canonicalDsn } from '../envelope/dsn.ts';
import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import { appendOwn, type OwnProject } from './spool-transport.ts';

/** Data of a report beside the error. */
export interface ReportContext {
  readonly eventId: string;
  /** Digest for people. */
  readonly digest: string;
  /** The full SHA-256. The store accepts it, because the event comes from the server itself. */
  readonly digestKey: string;
  readonly request: { readonly method: string; readonly path: string; readonly route: string | null } | null;
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
 * reporting/ is the server's own Sentry client. Its transport appends to the spool instead of sending, so that a
 * report from the last moment of a process is on disk and not in a socket. It must never collect bodies, cookies,
 * headers or spans: the caller passes the data of a failure explicitly.
 */
export class Reporter {
  readonly #client: Sentry.NodeClient | undefined;
  readonly #log: Log;
  /** By event id, what ends the wait for a report. */
  readonly #pending = new Map<string, () => void>();

  constructor(spool: Spool, options: ReporterOptions, log: Log) {
    const own: OwnProject = { project: canonicalDsn(options.dsn), hasUpstream: options.hasUpstream };
    this.#log = log;
    this.#client = Sentry.initWithoutDefaultIntegrations({
      dsn: canonicalDsn(options.dsn),
      release: options.release,
      environment: options.environment,
      sendClientReports: false,
      // Hooks into modules that are loaded later, for spans.
      enableRuntimeChannelInjection: false,
      maxBreadcrumbs: 0,
      transportOptions: { bufferSize: MAX_PENDING },
      integrations: [
        Sentry.functionToStringIntegration(),
        Sentry.linkedErrorsIntegration({ limit: 5 }),
        Sentry.contextLinesIntegration(),
        Sentry.nodeContextIntegration(),
      ],
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
    // After the transport has answered, whatever the answer was.
    this.#client?.on('afterSendEvent', ({ event_id: eventId = '' }) => this.#end(eventId));
  }

  /** Reports a thrown value. Resolves once the report is on disk, or is known to be lost. */
  report(thrown: unknown, { eventId, digest, digestKey, request }: ReportContext): Promise<void> {
    if (this.#pending.size >= MAX_PENDING) {
      this.#log.error({ digest, eventId }, 'own_report_lost');
      return Promise.resolve();
    }
    const ended = new Promise<void>((resolve) => void this.#pending.set(eventId, resolve));
    unmark(thrown);
    Sentry.withScope((scope) => {
      scope.setTags({ 'errata.digest': digest, 'errata.digest_key': digestKey });
      if (request !== null) {
        const { method, path, route } = request;
        scope.setTransactionName(`${method} ${route ?? path}`);
        scope.addEventProcessor((event) => ({ ...event, request: { method, url: path } }));
      }
      Sentry.captureException(thrown, { event_id: eventId });
    });
    return ended;
  }

  /** Waits until all reports are on disk, at most 2 s. */
  async flush(): Promise<void> {
    await Sentry.flush(FLUSH_MS);
  }

  /** Ends the client, which holds a listener of the process; later reports are dropped. */
  async close(): Promise<void> {
    await this.#client?.close(FLUSH_MS);
    for (const eventId of this.#pending.keys()) this.#end(eventId);
  }

  #end(eventId: string): void {
    this.#pending.get(eventId)?.();
    this.#pending.delete(eventId);
  }
}

/**
 * Removes the mark with which the SDK recognises an error that it has captured before (`checkOrSetAlreadyCaught` of
 * @sentry/core): one error object can fail many requests, and each shows a reference of its own.
 */
function unmark(thrown: unknown): void {
  if (typeof thrown === 'object' && thrown !== null) Reflect.deleteProperty(thrown, '__sentry_captured__');
}
