import type { Backlog } from '../spool/backlog.ts';
import { REAL_TIME, type TimeSource } from '../time/time-source.ts';

/** Interval of the counts. Each is one scan of the queued rows: some milliseconds for 10,000 envelopes. */
const COUNT_MS = 1_000;
/** Interval of the progress lines: often enough for a person who watches, 120 lines in ten minutes. */
const PROGRESS_MS = 5_000;

/** The parts that deliver the envelopes of a spool. */
export interface Deliveries {
  /** @param options uptime before envelopes of an earlier boot expire. */
  start(options: { readonly spoolSettlingMs: number }): void;
  /** Ends deliveries, and commits those in flight. */
  stopDeliveries(): Promise<void>;
  backlog(): Promise<Backlog>;
}

export interface DrainOptions {
  readonly timeoutMs: number;
  /** Ends the wait early. */
  readonly stop: AbortSignal;
  /** Receives each progress line, and the result. */
  readonly print: (line: string) => void;
  /** The real clock if absent. */
  readonly time?: TimeSource;
}

/**
 * Delivers until no sink waits for an envelope, the time is up, or `stop` is aborted.
 *
 * @returns the number of envelopes that are left.
 */
export async function deliverQueued(parts: Deliveries, options: DrainOptions): Promise<number> {
  const before = await parts.backlog();
  // The volume can be days old, and the time is too short to wait for the clock.
  parts.start({ spoolSettlingMs: 0 });
  await untilDelivered(parts, before, options);
  await parts.stopDeliveries();
  const after = await parts.backlog();
  options.print(summaryOf(before, after));
  return after.queued;
}

async function untilDelivered(
  parts: Deliveries,
  before: Backlog,
  { timeoutMs, stop, print, time = REAL_TIME }: DrainOptions,
): Promise<void> {
  const endsAtMs = time.nowMs() + timeoutMs;
  let progressAtMs = time.nowMs() + PROGRESS_MS;
  // A count fails while the spool restarts its thread.
  for (let now = before; now.isDeliverable; now = await parts.backlog().catch(() => now)) {
    const nowMs = time.nowMs();
    if (stop.aborted || nowMs >= endsAtMs) return;
    if (nowMs >= progressAtMs) {
      print(`draining: ${summaryOf(before, now)}`);
      progressAtMs = nowMs + PROGRESS_MS;
    }
    await pause(Math.min(COUNT_MS, endsAtMs - nowMs), stop, time);
  }
}

/** Returns `delivered N, left M`, and in brackets what an operator must know before deleting the data directory. */
function summaryOf(before: Backlog, now: Backlog): string {
  const notes: readonly (readonly [number, string])[] = [
    [now.stranded, 'for upstreams that are not in the settings'],
    [now.deadLetters, 'dead letters'],
    [now.expired - before.expired, 'expired'],
    [now.dropped - before.dropped, 'dropped'],
    [now.erased - before.erased, 'erased'],
  ];
  const shown = notes.filter(([envelopes]) => envelopes > 0).map((note) => note.join(' '));
  const brackets = shown.length > 0 ? ` (${shown.join(', ')})` : '';
  return `delivered ${now.delivered - before.delivered}, left ${now.queued}${brackets}`;
}

function pause(pauseMs: number, stop: AbortSignal, { startTimer }: TimeSource): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      stop.removeEventListener('abort', end);
      resolve();
    };
    const cancel = startTimer(pauseMs, end);
    stop.addEventListener('abort', end);
  });
}
