import type { Log } from '../telemetry/log.ts';
import type { EventStore } from '../store/event-store.ts';
import type { RetentionLimits } from '../store/retention/retention.ts';

/** How often old events are looked for; retention is counted in days, so a quarter of an hour is exact enough. */
const EVERY_MS = 15 * 60_000;

/** Keeps the store within its limits of age and size, for as long as the process runs. */
export class RetentionSchedule {
  readonly #store: EventStore;
  readonly #log: Log;
  readonly #limits: RetentionLimits;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: EventStore, log: Log, limits: RetentionLimits) {
    this.#store = store;
    this.#log = log;
    this.#limits = limits;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#run(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    try {
      const removed = await this.#store.ask('retain', this.#limits, Date.now());
      if (removed.events + removed.issues > 0) this.#log.info(removed, 'retention_removed');
    } catch (error) {
      this.#log.error({ err: error }, 'retention_failed');
    }
  }
}
