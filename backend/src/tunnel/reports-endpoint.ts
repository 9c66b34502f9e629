import { type Converted, newEventId, writeEnvelope, type WrittenItem } from './store-endpoint.ts';

/** Content types of what browsers report by themselves (CSP Level 2 `report-uri`; Reporting API). */
export type ReportsType = 'application/csp-report' | 'application/reports+json';

export function reportsTypeOf(contentType: string | undefined): ReportsType | undefined {
  const [type = ''] = (contentType ?? '').split(';', 1);
  const known = type.trim().toLowerCase();
  return known === 'application/csp-report' || known === 'application/reports+json' ? known : undefined;
}

/** Whose reports they are. */
export interface ReportsOrigin {
  readonly project: string;
  /** Release and environment, as members of an item's header. */
  readonly names: ReportNames;
}

type ReportNames = Pick<WrittenItem, 'sentry_release' | 'sentry_environment'>;

/** Sentry's own limit for releases; with both of this length an item's header is still below its own limit. */
const MAX_NAME_LENGTH = 250;

/**
 * What the address says that a policy gives for its reports: browsers tell neither release nor environment. Names as
 * at Sentry's own `/security/`.
 *
 * @see https://docs.sentry.io/security-legal-pii/security/security-policy-reporting/
 */
export function namesInQuery(query: URLSearchParams): ReportNames {
  const names = ['sentry_release', 'sentry_environment'].map((name) => [name, query.get(name) ?? '']);
  const given = names.filter(([, value]) => value !== '');
  return Object.fromEntries(
    given.map(([name, value = '']) => [name, value.slice(0, MAX_NAME_LENGTH).toWellFormed()]),
  );
}

/**
 * Makes one envelope of a browser's reports, so that all of a batch are kept or none (protocol 1.4):
 *
 * - a network error becomes an item `nel`, as Relay's `/nel/` makes it;
 * - a crash becomes an `event`: the page died, which is an error, and errors are what may never be let go;
 * - everything else becomes `raw_security`, unchanged, also kinds that are yet to come: an upstream knows its own.
 */
export function envelopeOfReports(
  body: Buffer,
  type: ReportsType,
  { project, names }: ReportsOrigin,
): Converted {
  const items = type === 'application/csp-report' ? [security(body, names)] : itemsOf(body, names);
  const isGood = items !== undefined && (type !== 'application/csp-report' || parse(body) !== undefined);
  if (!isGood) return { outcome: 'malformed', detail: `body is not ${type}` };
  return { outcome: 'ok', envelope: writeEnvelope(project, newEventId(), items) };
}

function itemsOf(body: Buffer, names: ReportNames): readonly WrittenItem[] | undefined {
  const reports = parse(body);
  if (!Array.isArray(reports)) return undefined;
  const items = reports.map((report) => itemOf(report, names)).filter((item) => item !== undefined);
  return items.length === reports.length ? items : undefined;
}

function itemOf(report: unknown, names: ReportNames): WrittenItem | undefined {
  if (typeof report !== 'object' || report === null || !('type' in report)) return undefined;
  if (report.type === 'crash') return { type: 'event', payload: crashEvent(report, names) };
  const payload = Buffer.from(JSON.stringify(report));
  return report.type === 'network-error' ? { type: 'nel', payload, ...names } : security(payload, names);
}

function security(payload: Buffer, names: ReportNames): WrittenItem {
  return { type: 'raw_security', payload, ...names };
}

/**
 * An event that says what a crash report says: which page, and whether it ran out of memory or stopped to answer.
 *
 * @see https://wicg.github.io/crash-reporting/
 */
function crashEvent(report: object, names: ReportNames): Buffer {
  const { url, user_agent: userAgent, body } = { url: null, user_agent: null, body: null, ...report };
  const reason = textIn(body, 'reason') ?? 'unknown';
  const event = {
    platform: 'javascript',
    level: 'fatal',
    release: names.sentry_release,
    environment: names.sentry_environment,
    exception: {
      values: [{ type: 'PageCrash', value: reason, mechanism: { type: 'crash-report', handled: false } }],
    },
    request: { url: textOf(url), headers: { 'User-Agent': textOf(userAgent) } },
    extra: { report },
  };
  return Buffer.from(JSON.stringify(event));
}

function textIn(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return textOf(Object.getOwnPropertyDescriptor(value, key)?.value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parse(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
