import type { AlertFilter } from './alert-filter.ts';

/** State and test of the targets of `ERRATA_ALERTS`. Times are ISO 8601 in UTC. */
export const CONSOLE_ALERTS_PATH = '/console/api/alerts';

/** A target whose last message was not accepted. */
export interface FailingTarget {
  /** Since when it accepts none. */
  readonly since: string;
  /** Of the message that was tried last. */
  readonly attempts: number;
  /** Code as in the log: `status_404`, `timeout`, `EgressRefused`. */
  readonly reason: string;
}

/** A target, without its address. */
export interface AlertTargetState {
  readonly id: string;
  /** The service or the host; a second target of a name has a number, `Slack 2`. The same in log and metrics. */
  readonly name: string;
  readonly filter: AlertFilter;
  /** Messages that wait: a summary is one. */
  readonly waiting: number;
  /** Time of the last message that it accepted, of a week; a test is none. */
  readonly lastSent: string | null;
  readonly failing: FailingTarget | null;
}

/** Response of `GET /console/api/alerts`, in the order of the setting. */
export interface AlertState {
  readonly targets: readonly AlertTargetState[];
  /** Whether messages link to the console: false without `ERRATA_PUBLIC_URL`. */
  readonly hasLinks: boolean;
}

/** Response of `POST /console/api/alerts/:id/test`. */
export interface AlertTestResult {
  readonly outcome: 'accepted' | 'failed';
  /** Code of a failure. */
  readonly reason: string | null;
  /** What the receiver answered, at most 200 characters: a login page may answer 200, too. */
  readonly detail: string | null;
}
