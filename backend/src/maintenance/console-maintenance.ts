import type { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Eraser } from '../console/erasure/eraser.ts';

/** What another replica was asked to forget is forgotten here within this. */
const ERASURES_MS = 60_000;
/** Nothing of it is urgent: what is over is not believed, and not listed. */
const SWEEP_MS = 3_600_000;
/** What is still unfinished after this is nobody's work any more: a million events are read in a minute. */
const ABANDONED_MS = 10 * 60_000;

export interface KeptFor {
  /** The audit log, and the rules of erasures: they say who asked for what, too. */
  readonly auditMs: number;
  readonly sessionIdleMs: number;
  readonly sessionMaxMs: number;
}

/** What the console does now and then: erasures of other replicas, and the end of what is kept of its own people. */
export class ConsoleUpkeep {
  readonly #store: EventStore;
  readonly #erasing: Eraser;
  readonly #kept: KeptFor;
  readonly #log: Pick<Log, 'error' | 'info'>;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(store: EventStore, erasing: Eraser, kept: KeptFor, log: Pick<Log, 'error' | 'info'>) {
    this.#store = store;
    this.#erasing = erasing;
    this.#kept = kept;
    this.#log = log;
  }

  start(): void {
    this.#every(ERASURES_MS, () => this.#catchUp());
    this.#every(SWEEP_MS, () => this.sweep(Date.now()));
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  /** Sessions that are over, entries and rules that are too old; and erasures whose process has died. */
  async sweep(nowMs: number): Promise<void> {
    const { auditMs, sessionIdleMs, sessionMaxMs } = this.#kept;
    const ages = { usedSinceMs: nowMs - sessionIdleMs, begunSinceMs: nowMs - sessionMaxMs };
    await this.#store.ask('deleteEndedSessions', ages);
    await this.#store.ask('deleteAudit', nowMs - auditMs);
    await this.#store.ask('resumeErasures', nowMs - ABANDONED_MS);
    await this.#store.ask('deleteErasures', nowMs - auditMs);
  }

  async #catchUp(): Promise<void> {
    const spooled = await this.#erasing.catchUp();
    if (spooled > 0) this.#log.info({ spooled }, 'erased');
  }

  #every(ms: number, work: () => Promise<void>): void {
    const run = (): void => {
      work().catch((err: unknown) => this.#log.error({ err }, 'console_upkeep_failed'));
    };
    this.#timers.push(setInterval(run, ms).unref());
  }
}
