/** The events of all issues by hour. Times are ISO 8601 in UTC. */

export const CONSOLE_TREND_PATH = '/console/api/trend';

/** Hours of a trend: 14 days. */
export const TREND_HOURS = 336;

/**
 * Response of `GET /console/api/trend?project=`; without a project that of all projects. It counts all events, also those that
 * retention and erasure have deleted, and no browser reports.
 */
export interface Trend {
  /** Beginning of the first hour. */
  readonly from: string;
  /** Events of servers in each of the last 336 hours, oldest first. */
  readonly server: readonly number[];
  /** Those of browsers. */
  readonly browser: readonly number[];
  /** Releases that were first seen in these hours, newest first, at most 20. Those with a confirmed event come before others. */
  readonly releases: readonly TrendRelease[];
}

export interface TrendRelease {
  readonly name: string;
  /** Canonical DSN. */
  readonly project: string;
  /** When it was first seen. */
  readonly time: string;
}
