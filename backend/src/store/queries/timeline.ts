import type { TimelineEntry } from '../../contract/event-api.ts';
import { isoTime } from '../../time/iso.ts';
import { type Moment, momentsOf, type TimelineEvent } from './event-timeline.ts';

/**
 * Lists the moments around a failure, oldest first, of the event and of its linked event if there is one.
 *
 * The two senders' clocks were never compared: each event keeps its own order and its own times, and the two lists are
 * merged by those times. One fact is certain, because the browser named the server's response: the server failed before
 * the browser did. A server whose clock contradicts this is ahead by at least the difference. Its moments are then
 * moved back by the difference in the order, but not in the shown times, because the server's log shows these, too. When two lines
 * have the same time, the server's comes first.
 */
export function timelineOf(event: TimelineEvent, linked: TimelineEvent | null): readonly TimelineEntry[] {
  const both = linked === null ? [event] : [event, linked];
  const [server] = both.filter(({ kind }) => kind === 'server');
  const [browser] = both.filter(({ kind }) => kind === 'browser');
  if (server === undefined || browser === undefined) return momentsOf(event).map(entryOf);
  const aheadMs = Math.max(0, server.occurredMs - browser.occurredMs);
  return merged(momentsOf(server), momentsOf(browser), aheadMs).map(entryOf);
}

function merged(
  server: readonly Moment[],
  browser: readonly Moment[],
  serverAheadMs: number,
): readonly Moment[] {
  const all: Moment[] = [];
  let at = 0;
  for (const moment of browser) {
    for (let next = server[at]; next !== undefined; next = server[at]) {
      if (next.timeMs - serverAheadMs > moment.timeMs) break;
      all.push(next);
      at += 1;
    }
    all.push(moment);
  }
  return [...all, ...server.slice(at)];
}

function entryOf({ timeMs, entry }: Moment): TimelineEntry {
  return { time: isoTime(timeMs), ...entry };
}
