import type { IssueKind, TimelineEntry } from '../../contract/event-api.ts';
import { exceptionsOf } from '../reading/exceptions.ts';
import { millisecondsOf } from '../reading/times.ts';
import { valuesOf } from '../reading/values.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { relatedDigest } from '../event/event-digest.ts';
import { DAY_MS, isoTime } from '../../time/iso.ts';
import { breadcrumbLine, levelOf } from './breadcrumbs.ts';
import { requestDetailOf } from './request-detail.ts';

/** An event with the parts that its timeline shows. */
export interface TimelineEvent {
  readonly eventId: string;
  readonly kind: IssueKind;
  readonly title: string;
  readonly occurredMs: number;
  readonly body: Fields;
}

/** A line of the timeline, at its time by the sender's own clock. */
interface Moment {
  readonly timeMs: number;
  readonly entry: Omit<TimelineEntry, 'time'>;
}

/** Two linked events with their last lines make at most 200 lines. The newest are shown; SDKs send 100. */
const MAX_BREADCRUMBS = 97;
/** A breadcrumb with an older time counts as one with a wrong clock. */
const MAX_AGE_MS = 7 * DAY_MS;
const MAX_TEXT_LENGTH = 500;

/** Mechanism types that the SDKs' error boundaries send: they replaced the broken page with a page of theirs. */
const PAGE_SHOWN = /(?:^|\.)(?:boundary|root|error_boundary|error_handler)$/;

/**
 * Lists the moments around a failure, those of the event and of its linked event if there is one, in the order of their
 * times. The two senders' clocks were never compared, so the server may seem to fail after the browser; a time is shown as
 * its sender's own log has it. When two lines have the same time, the server's comes first.
 */
export function timelineOf(event: TimelineEvent, linked: TimelineEvent | null): readonly TimelineEntry[] {
  const both = linked === null ? [event] : [event, linked];
  const serverFirst = both.toSorted((one, other) => other.kind.localeCompare(one.kind));
  return serverFirst
    .flatMap(momentsOf)
    .toSorted((one, other) => one.timeMs - other.timeMs)
    .map(entryOf);
}

function entryOf({ timeMs, entry }: Moment): TimelineEntry {
  return { time: isoTime(timeMs), ...entry };
}

/**
 * Lists the moments of one event, oldest first: its breadcrumbs, the request it failed in, the exception, the error
 * page that was shown.
 *
 * The order is the event's own; times only grow. A breadcrumb without a time, or with a time later than its successor's,
 * gets the successor's time. Where the event's own time was replaced (see `occurredMs`), its breadcrumbs move with it.
 */
function momentsOf(event: TimelineEvent): readonly Moment[] {
  const crumbs = valuesOf(event.body['breadcrumbs']).slice(-MAX_BREADCRUMBS);
  const claimedMs = millisecondsOf(event.body['timestamp']);
  const shiftMs = Number.isFinite(claimedMs) ? event.occurredMs - claimedMs : 0;
  const moments: Moment[] = [];
  let latestMs = event.occurredMs;
  for (const crumb of crumbs.toReversed()) {
    const timeMs = Math.round(millisecondsOf(crumb['timestamp']) + shiftMs);
    if (timeMs <= latestMs && timeMs >= event.occurredMs - MAX_AGE_MS) latestMs = timeMs;
    moments.push({ timeMs: latestMs, entry: { kind: event.kind, eventId: null, ...breadcrumbLine(crumb) } });
  }
  return [
    ...moments.toReversed(),
    ...endOf(event).map((entry) => ({ timeMs: event.occurredMs, entry: { kind: event.kind, ...entry } })),
  ];
}

function endOf(event: TimelineEvent): readonly Omit<TimelineEntry, 'time' | 'kind'>[] {
  const { eventId, title, body } = event;
  const request = requestLine(event);
  const page = pageLine(event);
  return [
    ...(request === null ? [] : [{ category: 'request', text: request, level: 'info' as const, eventId }]),
    { category: 'exception', text: title, level: levelOf(body['level'], 'error'), eventId },
    ...(page === null ? [] : [{ category: 'page shown', text: page, level: 'error' as const, eventId }]),
  ];
}

/** The "request" of a browser event is the page it is on, so it makes no line. */
function requestLine({ kind, body }: TimelineEvent): string | null {
  const request = kind === 'server' ? requestDetailOf(body) : null;
  if (request === null || request.url === null) return null;
  return [request.method, request.url]
    .filter((part) => part !== null)
    .join(' ')
    .slice(0, MAX_TEXT_LENGTH);
}

function pageLine({ kind, body }: TimelineEvent): string | null {
  if (kind !== 'browser') return null;
  const isShown = exceptionsOf(body).some((exception) => {
    const { type } = fieldsAt(exception, 'mechanism');
    return typeof type === 'string' && PAGE_SHOWN.test(type);
  });
  if (!isShown) return null;
  const digest = relatedDigest(body);
  return digest === null ? 'the error page' : `the error page, with the server’s digest ${digest}`;
}
