import type { Log } from '../telemetry/log.ts';
import type { EventStore } from '../store/event-store.ts';
import type { KeepLimits } from '../store/source-maps/keep-client.ts';

/** After a failure, such as a database that is not there yet. */
const RETRY_MS = 60_000;
/** What is served counts as used: it is noted as often as any use is. */
const AGAIN_MS = 24 * 60 * 60 * 1000;

/**
 * Has the maps of the served client kept: once after the start, which does not wait for it, and then daily.
 *
 * States: idle -> waiting <-> keeping -> stopped.
 */
export class SourceMapSchedule {
  readonly #store: EventStore;
  readonly #log: Log;
  readonly #limits: KeepLimits;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(store: EventStore, log: Log, limits: KeepLimits) {
    this.#store = store;
    this.#log = log;
    this.#limits = limits;
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    const isDone = await this.#keep();
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#run(), isDone ? AGAIN_MS : RETRY_MS).unref();
  }

  async #keep(): Promise<boolean> {
    try {
      const kept = await this.#store.ask('keepSourceMaps', this.#limits);
      if (kept !== undefined && kept.added + kept.removed > 0) this.#log.info(kept, 'source_maps_kept');
      if (kept !== undefined && kept.passedOver > 0) this.#log.warn(kept, 'source_maps_too_large');
      return true;
    } catch (error) {
      if (!this.#isStopped) this.#log.error({ err: error }, 'source_maps_not_kept');
      return false;
    }
  }
}
