import * as Sentry from '@sentry/nestjs';
import { type Dsn, canonicalDsn } from '../envelope/dsn.ts';
import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import { appendOwn, type OwnProject } from './spool-transport.ts';

/** What a report carries beside the error itself. */
export interface ReportContext {
  readonly eventId: string;
  /** What people see. */
  readonly digest: string;
  /** The full SHA-256; the store believes it because the event is the server's own. */
  readonly digestKey: string;
  readonly request: { readonly method: string; readonly path: string; readonly route: string | null } | null;
}

export interface ReporterOptions {
  readonly dsn: Dsn;
  readonly hasUpstream: boolean;
  readonly release: string;
  readonly environment: string;
}

/** How long a flush may take before the process goes on. */
const FLUSH_MS = 2_000;

/**
 * The server's own Sentry client. Its transport appends to the spool instead of sending, so that a report made in
 * the last moment of a process is on disk, not in a socket. It collects little: no bodies, no cookies, no headers,
 * no spans; what a failure needs is given to it by name.
 */
export class Reporter {
  constructor(spool: Spool, options: ReporterOptions, log: Log) {
    const own: OwnProject = { project: canonicalDsn(options.dsn), hasUpstream: options.hasUpstream };
    Sentry.initWithoutDefaultIntegrations({
      dsn: canonicalDsn(options.dsn),
      release: options.release,
      environment: options.environment,
      sendClientReports: false,
      maxBreadcrumbs: 0,
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
  }

  /** Reports something thrown; returns at once, `flush` waits until it is on disk. */
  report(thrown: unknown, { eventId, digest, digestKey, request }: ReportContext): void {
    Sentry.withScope((scope) => {
      scope.setTags({ 'errata.digest': digest, 'errata.digest_key': digestKey });
      if (request !== null) {
        const { method, path, route } = request;
        scope.setTransactionName(`${method} ${route ?? path}`);
        scope.addEventProcessor((event) => ({ ...event, request: { method, url: path } }));
      }
      Sentry.captureException(thrown, { event_id: eventId });
    });
  }

  async flush(): Promise<void> {
    await Sentry.flush(FLUSH_MS);
  }
}
