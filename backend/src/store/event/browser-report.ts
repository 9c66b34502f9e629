import type { Digest } from '../../digest/digest.ts';
import { CSP_VIOLATION, digestOfReport, type ReportIdentity } from '../../digest/report-digest.ts';
import type { StoreItem } from './store-envelope.ts';
import { type Fields, numberOf } from '../../digest/fields.ts';
import { columnText } from './column-text.ts';
import { type ReportFacts, reportFacts } from './report-facts.ts';
import { originOf, routeOf, sourceOf } from './report-places.ts';

/** A browser report as an event: it is scrubbed, sampled, stored and found as errors are. */
export interface BrowserReport {
  readonly event: Fields;
  readonly digest: Digest;
  readonly isViolation: boolean;
}

const MAX_USER_AGENT_LENGTH = 512;
/** Brief events keep their tags, and there may be thousands. */
const MAX_TAG_LENGTH = 200;

/** Reads a report; null for a report of a success. */
export function readReport(report: Fields, item: StoreItem, receivedMs: number): BrowserReport | null {
  const facts = reportFacts(report);
  if (facts === null) return null;
  const digest = digestOfReport({ ...identityOf(facts), ...placeOf(facts) });
  const isViolation = facts.kind === CSP_VIOLATION;
  return { event: eventOf(facts, report, item, receivedMs), digest, isViolation };
}

function identityOf({ kind, subject, target }: ReportFacts): Omit<ReportIdentity, 'route' | 'source'> {
  return { kind, subject, target: target ?? '' };
}

/**
 * Returns where a fault is. A violation of the Content-Security-Policy is one fault on all pages, because one source allows
 * it on all of them. Blocked inline code has no origin that names it: it is one fault for each script or page that has it.
 */
function placeOf({ kind, target, url, file }: ReportFacts): Pick<ReportIdentity, 'route' | 'source'> {
  const source = sourceOf(file, url);
  if (kind !== CSP_VIOLATION) return { route: routeOf(url), source };
  return { route: '', source: originOf(target) === null ? source : '' };
}

function eventOf(facts: ReportFacts, report: Fields, item: StoreItem, receivedMs: number): Fields {
  const { name, summary, detail, url, tags } = facts;
  const { age, user_agent: userAgent } = report;
  const value = detail === null ? summary : `${summary}\n${detail}`;
  return {
    platform: 'javascript',
    level: 'warning',
    // Its age in ms; occurredMs limits how far back it may lie.
    timestamp: (receivedMs - numberOf(age)) / 1000,
    release: item.release,
    environment: item.environment,
    request: { url, headers: { 'User-Agent': columnText(userAgent, MAX_USER_AGENT_LENGTH) } },
    exception: { values: [{ type: name, value, stacktrace: { frames: framesOf(facts) } }] },
    tags: Object.fromEntries(
      Object.entries(tags).flatMap(([tag, tagValue]) => {
        const text = columnText(tagValue, MAX_TAG_LENGTH);
        return text === null ? [] : [[tag, text]];
      }),
    ),
    extra: { report },
  };
}

/** Makes a stack of one frame; a script of another origin is not the application's own. */
function framesOf({ file, line, column, url }: ReportFacts): readonly Fields[] {
  if (file === null) return [];
  const origin = originOf(file);
  return [
    { filename: file, lineno: line, colno: column, in_app: origin !== null && origin === originOf(url) },
  ];
}
