import { referenceOf } from '../digest/crockford.ts';
import { digestOf } from '../digest/digest.ts';
import { newEventId } from '../envelope/event-id.ts';
import { readError } from '../digest/read-error.ts';
import { routeTemplate } from '../digest/route-template.ts';
import { entriesOf, isError, isObject, readProperty, textOf } from '../digest/thrown-value.ts';
import type { ServerReporter } from '../reporting/server-reporter.ts';
import type { Log } from '../telemetry/log.ts';
import type { TimeSource } from '../time/time-source.ts';
import { type CountBy, countBy, type Metrics } from '../telemetry/metrics.ts';
import type { ErrorReporter, ReportData, ReportedError } from './error-reporter.ts';
import { ReportWait } from './report-wait.ts';

/** The request that failed; all of it goes to the log and to the report, none of it to the response. */
export interface FailedRequest {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  /** Pattern of the matched route, or null. */
  readonly route: string | null;
  readonly status: number;
  readonly requestId: string | null;
}

/** A failure with its digest key (SHA-256); the digest shows a part of the key. */
export interface RecordedFailure extends ReportedError {
  readonly key: string;
}

const KINDS = ['request', 'call', 'reported', 'uncaught_exception', 'unhandled_rejection'] as const;

type FailureKind = (typeof KINDS)[number];

/** Tags of a report, and characters of a tag's name and value: Relay removes longer ones. */
const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 200;

/**
 * Computes the digest and the reference of a failure, writes its log record and reports it. Log record, report and response
 * must carry the same digest, so that each leads to the others.
 */
export class FailureRecorder implements ErrorReporter {
  readonly #reporter: Pick<ServerReporter, 'report'>;
  readonly #log: Log;
  readonly #count: CountBy<FailureKind>;
  readonly #wait: ReportWait;
  readonly #root: string;

  /** @param root absolute path of the application; frames are relative to it. */
  constructor(
    reporter: Pick<ServerReporter, 'report'>,
    log: Log,
    metrics: Metrics,
    root: string,
    time?: TimeSource,
  ) {
    this.#reporter = reporter;
    this.#log = log;
    this.#count = countBy(metrics.errors, KINDS);
    this.#wait = new ReportWait(metrics, time);
    this.#root = root;
  }

  /** Returns the digest of a failed request, by which {@link record} records it. */
  digestOf(thrown: unknown, request: Pick<FailedRequest, 'path' | 'route'>): string {
    return this.#digestOf(thrown, request).shown;
  }

  #digestOf(thrown: unknown, request: Pick<FailedRequest, 'path' | 'route'> | null) {
    const route = request === null ? null : (request.route ?? routeTemplate(request.path));
    return digestOf(readError(thrown, this.#root), { route });
  }

  /** Records a failed request. */
  record(thrown: unknown, request: FailedRequest): RecordedFailure {
    return this.#record(thrown, 'request_failed', 'request', request);
  }

  /** Records a failed call in a context of Nest that is no HTTP request. @param context `graphql`, `rpc` or `ws`. */
  recordCall(thrown: unknown, context: string): ReportedError {
    return this.#record(thrown, 'call_failed', 'call', null, { context });
  }

  /** Records an error that the application has caught itself. */
  report(thrown: unknown, data?: ReportData): ReportedError {
    const [tags, user] = [readProperty(data, 'tags'), readProperty(data, 'user')].map(shortened);
    return this.#record(
      thrown,
      'error_reported',
      'reported',
      null,
      {},
      {
        ...(tags && { tags }),
        ...(user && { user }),
      },
    );
  }

  /** Records a failure of the process, which ends afterwards. */
  recordFatal(thrown: unknown, kind: Extract<FailureKind, `un${string}`>): ReportedError {
    return this.#record(thrown, kind, kind, null);
  }

  #record(
    thrown: unknown,
    event: string,
    kind: FailureKind,
    request: FailedRequest | null,
    fields: Readonly<Record<string, string>> = {},
    data: ReportData = {},
  ): RecordedFailure {
    const { key, shown } = this.#digestOf(thrown, request);
    const eventId = newEventId();
    const reference = referenceOf(eventId);
    const err = isError(thrown) ? thrown : new NonErrorThrown(thrown);
    this.#count(kind);
    this.#log.error({ digest: shown, reference, eventId, ...request, ...fields, err }, event);
    const context = { ...data, eventId, digest: shown, digestKey: key, request };
    const reported = this.#reporter.report(thrown, context);
    return { key, digest: shown, reference, kept: this.#wait.for(reported) };
  }
}

/** Replaces a thrown value that is no Error in the log, so that the record has a message and a stack. */
class NonErrorThrown extends Error {
  constructor(thrown: unknown) {
    super(`thrown: ${describe(thrown)}`);
    this.name = 'NonErrorThrown';
  }
}

/** Returns the JSON of a thrown value; its message or its text where JSON says nothing of it. */
function describe(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const json = jsonOf(thrown);
  return json === undefined || json === '{}' ? readError(thrown, '').message || textOf(thrown) : json;
}

function jsonOf(thrown: unknown): string | undefined {
  try {
    return JSON.stringify(thrown);
  } catch {
    return undefined;
  }
}

/** Returns the tags or the names of a user that are some: whatever the application has given, it gets its report. */
function shortened(given: unknown): Readonly<Record<string, string | number | boolean>> | undefined {
  const names = entriesOf(given).flatMap(([name, value]) => {
    const cut = typeof value === 'string' ? value.slice(0, MAX_TAG_LENGTH) : value;
    const isText = typeof cut === 'string' || typeof cut === 'number' || typeof cut === 'boolean';
    return isText ? [[name.slice(0, MAX_TAG_LENGTH), cut] as const] : [];
  });
  return isObject(given) ? Object.fromEntries(names.slice(0, MAX_TAGS)) : undefined;
}
