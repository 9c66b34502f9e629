import type { Eraser } from '../console/erasure/eraser.ts';
import type { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import { every, type Job } from '../time/every.ts';
import { HOUR_MS } from '../time/iso.ts';

/** An erasure that another replica received reaches this one within this time. */
const ERASURES_MS = 60_000;
/** Not urgent: expired sessions are neither accepted nor listed. */
const SWEEP_MS = HOUR_MS;
/** An erasure still unfinished after this lost its process: a million events are read in a minute. */
const ABANDONED_MS = 10 * 60_000;

export interface ConsoleAges {
  /** Of the audit log and of erasure rules, which say who requested an erasure. */
  readonly auditMs: number;
  readonly sessionIdleMs: number;
  readonly sessionMaxMs: number;
}

/**
 * Applies erasures of other replicas, and deletes expired sessions, audit entries and erasure rules.
 *
 * @param ageNow a {@link storeAgeClock}.
 */
export function maintainConsole(
  store: EventStore,
  eraser: Eraser,
  { auditMs, sessionIdleMs, sessionMaxMs }: ConsoleAges,
  log: Pick<Log, 'error' | 'info'>,
  ageNow: () => Promise<number>,
): readonly Job[] {
  const onError = (err: unknown): void => log.error({ err }, 'console_maintenance_failed');
  const catchUp = async (): Promise<void> => {
    const spooled = await eraser.catchUp();
    if (spooled > 0) log.info({ spooled }, 'erased');
  };
  const sweep = async (): Promise<void> => {
    const nowMs = await ageNow();
    const ages = { usedSinceMs: nowMs - sessionIdleMs, begunSinceMs: nowMs - sessionMaxMs };
    await store.ask('deleteEndedSessions', ages);
    await store.ask('deleteAudit', nowMs - auditMs);
    await store.ask('resumeErasures', Date.now() - ABANDONED_MS);
    await store.ask('deleteErasures', nowMs - auditMs);
  };
  return [every({ everyMs: ERASURES_MS }, catchUp, onError), every({ everyMs: SWEEP_MS }, sweep, onError)];
}
