import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { CSP_VIOLATION, VIOLATION } from '../../digest/report-digest.ts';
import { columnText } from './column-text.ts';
import { fileOf, MAX_URL_LENGTH, originOf, routeOf, targetOf } from './report-places.ts';

/** The facts of a browser report, the same for all its forms. */
export interface ReportFacts {
  readonly kind: string;
  readonly subject: string;
  readonly target: string | null;
  /** URL of the page, or of the request that failed. */
  readonly url: string | null;
  /** The kind of the error and its description in one line, as the console shows them. */
  readonly name: string;
  readonly summary: string;
  /** A sample of the code, or the browser's message. */
  readonly detail: string | null;
  readonly file: string | null;
  readonly line: unknown;
  readonly column: unknown;
  readonly tags: Readonly<Record<string, unknown>>;
}

const MAX_NAME_LENGTH = 100;
const MAX_DETAIL_LENGTH = 1_000;

/** Names of policies and warnings, by the type of the report. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['deprecation', 'Deprecation'],
  ['intervention', 'Intervention'],
  ['permissions-policy-violation', 'Permissions-Policy'],
  ['document-policy-violation', 'Document-Policy'],
  ['integrity-violation', 'Integrity-Policy'],
  ['coep', 'Cross-Origin-Embedder-Policy'],
  ['coop', 'Cross-Origin-Opener-Policy'],
]);

/**
 * Reads a report of any kind; null for a successful request, which network error logging reports, too.
 *
 * @param report `{"csp-report":{…}}` or `{"type":…,"url":…,"body":{…}}`; clients may post anything in its place.
 */
export function reportFacts(report: Fields): ReportFacts | null {
  const type = columnText(report['type'], MAX_NAME_LENGTH) ?? 'unknown';
  const url = columnText(report['url'], MAX_URL_LENGTH);
  if (Object.hasOwn(report, 'csp-report')) return violation(fieldsAt(report, 'csp-report'), url);
  const body = fieldsAt(report, 'body');
  if (type === CSP_VIOLATION) return violation(body, url);
  return type === 'network-error' ? networkError(body, url) : otherReport(type, body, url);
}

/**
 * Reads a violation of the Content-Security-Policy. Both forms contain the same facts under other names, so that a browser
 * with only the older form reports the same fault.
 *
 * @see https://www.w3.org/TR/CSP3/#reporting
 */
function violation(body: Fields, reported: string | null): ReportFacts {
  const { effectiveDirective, violatedDirective, disposition } = body;
  const directives = [effectiveDirective, body['effective-directive'], violatedDirective];
  // The oldest browsers send the whole directive, with its sources.
  const named = first([...directives, body['violated-directive']], MAX_URL_LENGTH)?.split(/\s/, 1)[0];
  const subject = named?.toLowerCase().slice(0, MAX_NAME_LENGTH) ?? '';
  const blocked = body['blockedURL'] ?? body['blocked-uri'];
  const target = targetOf(blocked);
  const directive = subject === '' ? 'a directive' : subject;
  const status = body['statusCode'] ?? body['status-code'];
  return {
    kind: CSP_VIOLATION,
    subject,
    target,
    url: first([body['documentURL'], body['document-uri'], reported], MAX_URL_LENGTH),
    name: VIOLATION,
    summary: target === null ? `${directive} violated` : `${directive} ${verb(disposition, false)} ${target}`,
    detail: first([body['sample'], body['script-sample']], MAX_DETAIL_LENGTH),
    ...positionIn(body),
    tags: { directive: subject, blocked: fileOf(blocked), disposition, status },
  };
}

/** @see https://www.w3.org/TR/network-error-logging/#generate-a-network-error-report */
function networkError(body: Fields, url: string | null): ReportFacts | null {
  const { method, phase, protocol, status_code: status } = body;
  const type = columnText(body['type'], MAX_NAME_LENGTH) ?? 'unknown';
  if (type === 'ok') return null;
  // 404 and 503 of one address are two faults.
  const subject = type === 'http.error' && typeof status === 'number' ? `${type} ${status}` : type;
  const target = originOf(url);
  return {
    kind: 'network-error',
    subject,
    target,
    url,
    name: 'Network error',
    summary: url === null ? subject : `${subject} at ${target ?? ''}${routeOf(url)}`,
    detail: null,
    file: null,
    line: null,
    column: null,
    tags: { method, phase, protocol, status },
  };
}

/** Reads any other report, also of types that do not exist yet. @see https://www.w3.org/TR/reporting-1/#concept-reports */
function otherReport(type: string, body: Fields, url: string | null): ReportFacts {
  const { id, featureId, policyId, type: part, disposition, reportOnly, destination } = body;
  const subject = first([id, featureId, policyId, part], MAX_NAME_LENGTH) ?? '';
  const blocked = body['blockedURL'];
  const target = targetOf(blocked);
  const name = NAMES.get(type);
  const words = [name === undefined ? type : '', subject];
  if (target !== null) words.push(verb(disposition, reportOnly === true), target);
  return {
    kind: type,
    subject,
    target,
    url,
    name: name ?? 'Browser report',
    summary: words.filter((word) => word !== '').join(' '),
    detail: first([body['message'], body['sample']], MAX_DETAIL_LENGTH),
    ...positionIn(body),
    tags: { report: type, blocked: fileOf(blocked), disposition, destination },
  };
}

function positionIn(body: Fields): Pick<ReportFacts, 'file' | 'line' | 'column'> {
  return {
    file: fileOf(body['sourceFile'] ?? body['source-file']),
    line: body['lineNumber'] ?? body['line-number'],
    column: body['columnNumber'] ?? body['column-number'],
  };
}

/** Returns the verb of a violation: a policy that only reports has blocked nothing. */
function verb(disposition: unknown, isReportOnly: boolean): string {
  return isReportOnly || disposition === 'report' || disposition === 'reporting' ? 'would block' : 'blocked';
}

function first(values: readonly unknown[], maxLength: number): string | null {
  return values.map((value) => columnText(value, maxLength)).find((text) => text !== null) ?? null;
}
