import { newEventId } from '../envelope/event-id.ts';
import { MAX_EVENTS } from '../envelope/item-limits.ts';
import { writeEnvelope, type WrittenItem } from '../envelope/write-envelope.ts';
import { acceptConverted, jsonIn, stringIn, type Upload } from './converted-body.ts';
import type { Intake } from './intake.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import type { TunnelResponse } from './response.ts';

/** Content types of browser reports (CSP Level 2 `report-uri`; Reporting API). */
type ReportsType = 'application/csp-report' | 'application/reports+json';

/** Release and environment, as members of an item's header. */
type ReportNames = Pick<WrittenItem, 'sentry_release' | 'sentry_environment'>;

/** Sentry's limit for releases, characters; two names of this length keep an item's header below its own limit. */
const MAX_NAME_LENGTH = 250;

/**
 * Accepts browser reports: CSP violations, network errors, crashes. `?project=<id>` selects a project; the
 * default is the first one. No copy of a malformed body is kept: the request needs no key, and browsers send none.
 *
 * @param limits of the body, as it is sent and decoded.
 */
export async function acceptReports(
  upload: Upload,
  intake: Intake,
  limits: BodyLimits,
): Promise<TunnelResponse> {
  const type = reportsTypeOf(upload.request.headers['content-type']);
  if (type === undefined) {
    return { outcome: 'coding', detail: 'expected application/csp-report or application/reports+json' };
  }
  const query = new URLSearchParams(upload.route.query);
  const project = intake.projectOfReports(query.get('project'));
  if ('outcome' in project) return project;
  const body = await readBody(upload.request, limits, upload.reservation);
  if (body.outcome !== 'ok') return body;
  const envelope = envelopeOfReports(body.bytes, type, project.project, namesInQuery(query));
  if (envelope === undefined) return { outcome: 'malformed', detail: `body is not ${type}`, project };
  return acceptConverted({ upload, intake, project }, envelope);
}

/** Returns undefined for another type. */
export function reportsTypeOf(contentType: string | undefined): ReportsType | undefined {
  const [type = ''] = (contentType ?? '').split(';', 1);
  const known = type.trim().toLowerCase();
  return known === 'application/csp-report' || known === 'application/reports+json' ? known : undefined;
}

/**
 * Reads release and environment from the reporting URL, because browsers do not send them. Names as in Sentry's own
 * `/security/` endpoint.
 *
 * @see https://docs.sentry.io/security-legal-pii/security/security-policy-reporting/
 */
function namesInQuery(query: URLSearchParams): ReportNames {
  const names = ['sentry_release', 'sentry_environment'].map((name) => [name, query.get(name) ?? '']);
  const given = names.filter(([, value]) => value !== '');
  return Object.fromEntries(
    given.map(([name, value = '']) => [name, value.slice(0, MAX_NAME_LENGTH).toWellFormed()]),
  );
}

/**
 * Makes one envelope of all reports of a request, so that either all or none are stored (docs/protocol.md#browser-reports),
 * and returns undefined for a body that is not of the type:
 *
 * - a network error becomes an item `nel`, as in Relay's `/nel/` endpoint;
 * - a crash becomes an `event`, because a crashed page is an error, and errors are never dropped; of more than ten, as when
 *   the memory of a device runs out, the others stay reports;
 * - all others become `raw_security`, unchanged, future types included: an upstream knows its own.
 */
function envelopeOfReports(
  body: Buffer,
  type: ReportsType,
  project: string,
  names: ReportNames,
): Buffer | undefined {
  const items = type === 'application/csp-report' ? [security(body, names)] : itemsOf(body, names);
  const isValid = items !== undefined && (type !== 'application/csp-report' || jsonIn(body) !== undefined);
  return isValid ? writeEnvelope(project, newEventId(), items) : undefined;
}

function itemsOf(body: Buffer, names: ReportNames): readonly WrittenItem[] | undefined {
  const reports = jsonIn(body);
  if (!Array.isArray(reports)) return undefined;
  const items = reports.map((report) => itemOf(report, names)).filter((item) => item !== undefined);
  if (items.length !== reports.length) return undefined;
  let events = 0;
  return items.map((item, place) => {
    if (item.type === 'event') events += 1;
    return item.type === 'event' && events > MAX_EVENTS ? security(bytesOf(reports[place]), names) : item;
  });
}

function bytesOf(report: unknown): Buffer {
  return Buffer.from(JSON.stringify(report));
}

function itemOf(report: unknown, names: ReportNames): WrittenItem | undefined {
  if (typeof report !== 'object' || report === null || !('type' in report)) return undefined;
  if (report.type === 'crash') return { type: 'event', payload: crashEvent(report, names) };
  const payload = bytesOf(report);
  return report.type === 'network-error' ? { type: 'nel', payload, ...names } : security(payload, names);
}

function security(payload: Buffer, names: ReportNames): WrittenItem {
  return { type: 'raw_security', payload, ...names };
}

/**
 * Makes an event of a crash report: URL of the page, and the reason (out of memory, unresponsive).
 *
 * @see https://wicg.github.io/crash-reporting/
 */
function crashEvent(report: object, names: ReportNames): Buffer {
  const reason = stringIn(report, 'body', 'reason') ?? 'unknown';
  const event = {
    platform: 'javascript',
    level: 'fatal',
    release: names.sentry_release,
    environment: names.sentry_environment,
    exception: {
      values: [{ type: 'PageCrash', value: reason, mechanism: { type: 'crash-report', handled: false } }],
    },
    request: { url: stringIn(report, 'url'), headers: { 'User-Agent': stringIn(report, 'user_agent') } },
    extra: { report },
  };
  return Buffer.from(JSON.stringify(event));
}
