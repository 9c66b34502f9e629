import { referenceOf } from '../digest/crockford.ts';
import { digestOf } from '../digest/digest.ts';
import { newEventId } from '../envelope/event-id.ts';
import { readError } from '../digest/read-error.ts';
import { routeTemplate } from '../digest/route-template.ts';
import type { Reporter } from '../reporting/reporter.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** What is known of the request that failed; all of it goes to log and report, none to the answer. */
export interface FailedRequest {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  /** Pattern of the route, where one had matched. */
  readonly route: string | null;
  readonly status: number;
  readonly requestId: string | null;
}

/** Names given to one failure. */
export interface RecordedFailure {
  readonly digest: string;
  readonly reference: string;
}

/**
 * Gives a failure its digest and its reference, writes the one log line and reports it, so that all three, and
 * the answer, name it alike.
 */
export class FailureRecorder {
  readonly #reporter: Reporter;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #root: string;

  /** @param root absolute path of the application; frames are relative to it. */
  constructor(reporter: Reporter, log: Log, metrics: Metrics, root: string) {
    this.#reporter = reporter;
    this.#log = log;
    this.#metrics = metrics;
    this.#root = root;
  }

  /** A request that failed. */
  record(thrown: unknown, request: FailedRequest): RecordedFailure {
    return this.#record(thrown, 'request_failed', 'request', request);
  }

  /** A failure of the process itself; it ends afterwards. */
  recordFatal(thrown: unknown, kind: 'uncaught_exception' | 'unhandled_rejection'): RecordedFailure {
    return this.#record(thrown, kind, kind, null);
  }

  #record(thrown: unknown, event: string, kind: string, request: FailedRequest | null): RecordedFailure {
    const route = request === null ? null : (request.route ?? routeTemplate(request.path));
    const { key, shown } = digestOf(readError(thrown, this.#root), { route });
    const eventId = newEventId();
    const reference = referenceOf(eventId);
    const err = thrown instanceof Error ? thrown : new NonErrorThrown(thrown);
    this.#metrics.errors.inc({ kind });
    this.#log.error({ digest: shown, reference, eventId, ...request, err }, event);
    this.#reporter.report(thrown, { eventId, digest: shown, digestKey: key, request });
    return { digest: shown, reference };
  }
}

/** Stands in the log for something thrown that is no Error, so that it has a message and a place. */
class NonErrorThrown extends Error {
  constructor(thrown: unknown) {
    super(`thrown: ${describe(thrown)}`);
    this.name = 'NonErrorThrown';
  }
}

function describe(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown));
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
