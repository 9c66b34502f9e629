import { EXPIRE_BATCH } from '../spool/protocol/spool-messages.ts';
import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import { every, type Job } from '../time/every.ts';
import type { AgeClock } from './age-clock.ts';

/** Ages are hours and days: one more minute does not matter. */
const EXPIRE_MS = 60_000;

/**
 * No envelope of an earlier boot expires so soon after the start of the process: a clock that is wrong at boot is set within
 * this time. It is shorter than that of the store: check-ins expire after an hour, and a late one makes a monitor wrong.
 */
export const SPOOL_SETTLING_MS = 5 * 60_000;

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
  const report = async (): Promise<void> => {
    const projects = reports.projects();
    if (projects.length > 0) await spool.report(projects, Date.now());
  };
  // A thread that does not answer is down, which /readyz says.
  const askRejecting = () => spool.askRejecting();
  return [
    every({ everyMs: EXPIRE_MS }, () => expireOld(spool, ages), onError),
    every(reports, report, onError),
    every({ everyMs: ASK_REFUSING_MS, isAtOnce: true }, askRejecting, () => undefined),
  ];
}

/** Expires the envelopes and dead letters that are too old. @param ages settled after {@link SPOOL_SETTLING_MS}. */
export async function expireOld(spool: Pick<Spool, 'ask'>, ages: Pick<AgeClock, 'nowMs'>): Promise<void> {
  for (let expired = EXPIRE_BATCH; expired >= EXPIRE_BATCH;)
    ({ expired } = await spool.ask('expire', ages.nowMs()));
}
