import type { Config } from '../config/config.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** What an application gives to have its errors reported; Errata's own application gives the same. */
export interface ErrorReportingOptions {
  readonly config: Config;
  /** Absolute path of the application; frames in digests are relative to it. */
  readonly applicationRoot: string;
  /** Built client: its error pages, its source maps. */
  readonly clientDir: string;
  readonly release: string;
  readonly log: Log;
  readonly metrics: Metrics;
}
