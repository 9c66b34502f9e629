import type { IssueKind, TimeLineEntry } from '../../contract/event-api.ts';
import { millisecondsOf } from '../event/event-facts.ts';
import { type Fields, fieldsAt } from '../event/fields.ts';
import { relatedDigest } from '../event/event-digest.ts';
import { breadcrumbLine, breadcrumbsIn, levelOf } from './breadcrumbs.ts';
import { exceptionsIn } from './exception-detail.ts';
import { requestDetailOf } from './request-detail.ts';

/** One half of a failure: what the browser or the server told of it. */
export interface Half {
  readonly eventId: string;
  readonly kind: IssueKind;
  readonly title: string;
  readonly occurredMs: number;
  readonly body: Fields;
}

/** A line of the time line, at its time by its half's own clock. */
export interface Moment {
  readonly timeMs: number;
  readonly entry: Omit<TimeLineEntry, 'time'>;
}

/** So that both halves with their ends make 200 lines at most. The newest are kept; SDKs send 100. */
const MAX_BREADCRUMBS = 97;
/** A breadcrumb that claims to be older is taken for one with a wrong clock. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_TEXT_LENGTH = 500;

/** How the SDKs' error boundaries sign what they report: they have put a page of theirs in the place of the broken one. */
const PAGE_SHOWN = /(?:^|\.)(?:boundary|root|error_boundary|error_handler)$/;

/**
 * What one half tells, oldest first: its breadcrumbs, the request it failed in, the exception, the page that was shown.
 *
 * The order is the half's own; times only ever grow. A breadcrumb without a time, or one later than what came after
 * it, gets that one's. Where the event's own time was not believed (see `occurredMs`), its breadcrumbs move with it.
 */
export function momentsOf(half: Half): readonly Moment[] {
  const crumbs = breadcrumbsIn(half.body).slice(-MAX_BREADCRUMBS);
  const claimedMs = millisecondsOf(half.body['timestamp']);
  const shiftMs = Number.isFinite(claimedMs) ? half.occurredMs - claimedMs : 0;
  const moments: Moment[] = [];
  let latestMs = half.occurredMs;
  for (const crumb of crumbs.toReversed()) {
    const timeMs = Math.round(millisecondsOf(crumb['timestamp']) + shiftMs);
    if (timeMs <= latestMs && timeMs >= half.occurredMs - MAX_AGE_MS) latestMs = timeMs;
    moments.push({ timeMs: latestMs, entry: { half: half.kind, eventId: null, ...breadcrumbLine(crumb) } });
  }
  return [
    ...moments.toReversed(),
    ...endOf(half).map((entry) => ({ timeMs: half.occurredMs, entry: { half: half.kind, ...entry } })),
  ];
}

function endOf(half: Half): readonly Omit<TimeLineEntry, 'time' | 'half'>[] {
  const { eventId, title, body } = half;
  const request = requestLine(half);
  const page = pageLine(half);
  return [
    ...(request === null ? [] : [{ category: 'request', text: request, level: 'info' as const, eventId }]),
    { category: 'exception', text: title, level: levelOf(body['level'], 'error'), eventId },
    ...(page === null ? [] : [{ category: 'page shown', text: page, level: 'error' as const, eventId }]),
  ];
}

/** A browser's own "request" is the page it is on. */
function requestLine({ kind, body }: Half): string | null {
  const request = kind === 'server' ? requestDetailOf(body) : null;
  if (request === null || request.url === null) return null;
  return [request.method, request.url]
    .filter((part) => part !== null)
    .join(' ')
    .slice(0, MAX_TEXT_LENGTH);
}

function pageLine({ kind, body }: Half): string | null {
  if (kind !== 'browser') return null;
  const isShown = exceptionsIn(body).some((exception) => {
    const { type } = fieldsAt(exception, 'mechanism');
    return typeof type === 'string' && PAGE_SHOWN.test(type);
  });
  if (!isShown) return null;
  const digest = relatedDigest(body);
  return digest === null ? 'the error page' : `the error page, with the server’s digest ${digest}`;
}
