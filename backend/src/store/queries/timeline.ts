import type { TimeLineEntry } from '../../contract/event-api.ts';
import { type Half, type Moment, momentsOf } from './event-timeline.ts';
import { timeText } from '../../time/iso.ts';

/**
 * What happened around a failure, oldest first, in both of its halves where both are here.
 *
 * Two clocks that were never compared: each half keeps its own order and its own times, and the two are merged by
 * those times. One thing is known for sure, as the browser named the server's answer: the server had failed before the
 * browser did. A server whose clock says otherwise is ahead by at least the difference, and its half is moved back by
 * it in the order, though not in what is shown, since that is what its log says too. Of two lines at the same time the
 * server's comes first.
 */
export function timeLineOf(half: Half, other: Half | null): readonly TimeLineEntry[] {
  const halves = other === null ? [half] : [half, other];
  const [server] = halves.filter(({ kind }) => kind === 'server');
  const [browser] = halves.filter(({ kind }) => kind === 'browser');
  if (server === undefined || browser === undefined) return momentsOf(half).map(entryOf);
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

function entryOf({ timeMs, entry }: Moment): TimeLineEntry {
  return { time: timeText(timeMs), ...entry };
}
