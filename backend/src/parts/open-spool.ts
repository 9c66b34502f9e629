import type { ErrorReportingOptions } from './options.ts';
import { Spool } from '../spool/spool.ts';
import type { SpoolEvents } from '../spool/spool-listeners.ts';
import type { SpoolLimits } from '../spool/protocol/spool-messages.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/**
 * Opens the spool of the settings. Rejects when the data directory cannot be written or another process has it.
 */
export function openSpool({ config, log, metrics }: ErrorReportingOptions): Promise<Spool> {
  const limits: SpoolLimits = {
    maxBytes: config.spoolMaxBytes,
    maxAgeMs: { error: config.spoolMaxAgeMs, check_in: config.checkInMaxAgeMs, other: config.otherMaxAgeMs },
    deadLetters: {
      maxBytes: config.deadLetterMaxBytes,
      maxRows: config.deadLetterMaxCount,
      maxAgeMs: config.deadLetterMaxAgeMs,
    },
    dedup: { maxKeys: config.dedupMaxKeys, maxAgeMs: config.dedupMaxAgeMs },
  };
  return Spool.open({ directory: config.dataDir, limits }, eventsOf(log, metrics));
}

function eventsOf(log: Log, metrics: Metrics): SpoolEvents {
  return {
    onLost: (envelopes) => {
      metrics.spoolEvents.inc({ fault: 'lost' }, envelopes);
      log.fatal({ envelopes }, 'spool_lost_envelopes');
    },
    onCorrupt: (ids) => {
      metrics.spoolEvents.inc({ fault: 'corrupt' }, ids.length);
      log.error({ ids }, 'spool_corrupt_envelopes');
    },
    onThreadDeath: (err) => {
      metrics.spoolEvents.inc({ fault: 'thread_death' });
      log.error({ err }, 'spool_thread_died');
    },
    onFault: (fault) => {
      metrics.spoolEvents.inc({ fault: 'write' });
      log.error({ fault }, 'spool_write_failed');
    },
  };
}
