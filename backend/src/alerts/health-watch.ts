import { randomUUID } from 'node:crypto';
import type { HealthProblem } from '../contract/webhook-api.ts';
import { every, type Job } from '../time/every.ts';
import { isoTime } from '../time/iso.ts';
import { unmovedWallMs } from '../time/monotonic-clock.ts';
import type { AlertChannel, AlertMessage } from './alert-channel.ts';

/** Interval of the looks at the process, and of the attempts to send a message. */
const EVERY_MS = 30_000;
/** Time after which a problem is reported: a restart of an upstream takes less. */
const LASTS_MS = 5 * 60_000;
/** The same while the tunnel answers errors with 503, which loses them. */
const REJECTING_LASTS_MS = 60_000;

interface HealthWatchOptions {
  /** Returns the problems that the process has now. */
  readonly problems: () => Promise<readonly HealthProblem[]>;
  /** Name of this host: each replica reports only itself. */
  readonly host: string;
  /** The Delivery page of the console. */
  readonly link: string | null;
  readonly onError: (error: unknown) => void;
  /** Ms since the epoch, unaffected when the wall clock is set. */
  readonly now?: (() => number) | undefined;
}

type HealthChannel = Pick<AlertChannel, 'send'>;

/** A problem that has lasted, and what a target knows of it. */
interface Report {
  readonly id: string;
  readonly problem: HealthProblem;
  readonly sinceMs: number;
  /** Null while it lasts. */
  endMs: number | null;
  /** Whether the target has accepted the message of its begin. */
  isBegun: boolean;
  attempts: number;
}

/**
 * Reports the problems of this process: one message when a problem has lasted, and one at its end. It is in memory and sends
 * directly, past the outbox, because that lies in the store, which may be what fails. A target that was away until the end of
 * a problem gets only that message.
 */
export class HealthWatch {
  readonly #options: HealthWatchOptions;
  /** By key, since when a problem lasts. */
  readonly #sinceMs = new Map<string, number>();
  /** By target, the reports of problems by their key. */
  readonly #reports: ReadonlyMap<HealthChannel, Map<string, Report>>;

  constructor(channels: readonly HealthChannel[], options: HealthWatchOptions) {
    this.#options = options;
    this.#reports = new Map(channels.map((channel) => [channel, new Map()]));
  }

  start(): Job {
    return every({ everyMs: EVERY_MS, isAtOnce: true }, () => this.run(), this.#options.onError);
  }

  /** Looks at the process once, and sends the messages that are due. No target waits for another one. */
  async run(): Promise<void> {
    if (this.#reports.size === 0) return;
    const { problems, now = unmovedWallMs } = this.#options;
    try {
      this.#look(new Map((await problems()).map((problem) => [keyOf(problem), problem])), now());
    } finally {
      await Promise.all([...this.#reports].map(([channel, reports]) => this.#sendAll(channel, reports)));
    }
  }

  #look(problems: ReadonlyMap<string, HealthProblem>, nowMs: number): void {
    const all = [...this.#reports.values()];
    for (const key of this.#sinceMs.keys()) {
      if (problems.has(key)) continue;
      this.#sinceMs.delete(key);
      for (const report of all.flatMap((reports) => reports.get(key) ?? [])) report.endMs = nowMs;
    }
    for (const [key, problem] of problems) {
      const sinceMs = this.#sinceMs.get(key) ?? nowMs;
      this.#sinceMs.set(key, sinceMs);
      if (nowMs - sinceMs < lastsMs(problem)) continue;
      const begun = { problem, sinceMs, endMs: null, isBegun: false, attempts: 0 };
      for (const reports of all) {
        const report = reports.get(key) ?? { ...begun, id: randomUUID() };
        // It is back before the target knows its end: for the target it has gone on.
        report.endMs = null;
        reports.set(key, report);
      }
    }
  }

  /** Sends the reports that are due, up to the first message that fails: the rest would wait as long for the same fault. */
  async #sendAll(channel: HealthChannel, reports: Map<string, Report>): Promise<void> {
    for (const [key, report] of reports) {
      if (report.endMs === null && report.isBegun) continue;
      report.attempts += 1;
      const { isAccepted } = await channel.send(this.#messageOf(report));
      if (!isAccepted) return;
      if (report.endMs === null) report.isBegun = true;
      else reports.delete(key);
    }
  }

  #messageOf({ id, problem, sinceMs, endMs, attempts }: Report): AlertMessage {
    const { host, link } = this.#options;
    const data = { ...problem, host, since: isoTime(sinceMs), link };
    const [type, end] =
      endMs === null ? (['health.problem', ''] as const) : (['health.recovered', '-end'] as const);
    return { deliveryId: id + end, attempts, body: { type, timestamp: isoTime(endMs ?? sinceMs), data } };
  }
}

/** Returns what makes a problem the same as before: a destination that fails may become paused, a full queue a full disk. */
function keyOf({ kind, place, key }: HealthProblem): string {
  return JSON.stringify([kind === 'paused' ? 'failing' : kind, place, key]);
}

function lastsMs({ kind }: HealthProblem): number {
  return kind === 'rejecting' ? REJECTING_LASTS_MS : LASTS_MS;
}
