import type { Config } from '../config/config.ts';
import type { startScrubWorker } from '../relay/scrub-thread.ts';
import type { StartSpool } from '../spool/spool-thread.ts';
import type { EventStoreOptions } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { TimeSource } from '../time/time-source.ts';

/** Options of error reporting, for Errata's own process and for other applications. */
export interface ErrataOptions {
  readonly config: Config;
  /** Absolute path of the application; file names in digests are relative to it. */
  readonly applicationRoot: string;
  /** Folder of the built client, with its error pages and source maps. */
  readonly clientDir: string;
  readonly release: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Start the threads of spool, store and scrubbing; a test passes its own. */
  readonly startSpool?: StartSpool;
  readonly startStore?: EventStoreOptions['start'];
  readonly startScrub?: typeof startScrubWorker;
  /** Clocks and timers of the deliveries; the real ones by default. */
  readonly time?: TimeSource | undefined;
  /**
   * Whether the Nest module records failures outside of requests and then ends the process, as it does unless this is false.
   * Errata's own process does so by itself, and drains before.
   */
  readonly recordsProcessFailures?: boolean;
  /**
   * Whether another application has these parts. Then the Nest module also serves the pages of the console, and commits the
   * last reports at SIGTERM and SIGINT.
   */
  readonly isHosted?: boolean;
  /**
   * Whether that application has no HTTP server: a script, a migration, a worker of a queue. Then a close delivers what is
   * queued, and comes when the process has nothing left to do.
   */
  readonly isWithoutHttp?: boolean;
}
