import { EXPIRE_BATCH } from '../spool/protocol/spool-messages.ts';
import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import { every, type Job } from '../time/every.ts';
import type { AgeClock } from './age-clock.ts';

/** Ages are hours and days: one more minute does not matter. */
const EXPIRE_MS = 60_000;

/** /readyz and `errata_intake_rejecting` must not lag behind the tunnel by more than two seconds. */
const ASK_REFUSING_MS = 1_000;

export interface ClientReports {
  readonly everyMs: number;
  /** Projects whose upstream accepts envelopes now: a report to any other would only wait in the spool. */
  readonly projects: () => readonly string[];
}

/** Expires old envelopes, writes client reports about discarded items, and asks whether errors are refused. */
export function maintainSpool(
  spool: Spool,
  reports: ClientReports,
  log: Pick<Log, 'error'>,
  ages: Pick<AgeClock, 'nowMs'>,
): readonly Job[] {
  const onError = (err: unknown): void => log.error({ err }, 'spool_maintenance_failed');
  const expire = async (): Promise<void> => {
    for (let expired = EXPIRE_BATCH; expired >= EXPIRE_BATCH;)
      ({ expired } = await spool.ask('expire', ages.nowMs()));
  };
  const report = async (): Promise<void> => {
    const projects = reports.projects();
    if (projects.length > 0) await spool.report(projects, Date.now());
  };
  // A thread that does not answer is down, which /readyz says.
  const askRejecting = () => spool.askRejecting();
  return [
    every({ everyMs: EXPIRE_MS }, expire, onError),
    every(reports, report, onError),
    every({ everyMs: ASK_REFUSING_MS, isAtOnce: true }, askRejecting, () => undefined),
  ];
}
