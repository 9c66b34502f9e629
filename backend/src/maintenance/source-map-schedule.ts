import type { Log } from '../telemetry/log.ts';
import type { EventStore } from '../store/event-store.ts';
import type { SourceMapLimits } from '../store/source-maps/store-client.ts';

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
  readonly #limits: SourceMapLimits;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(store: EventStore, log: Log, limits: SourceMapLimits) {
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
      const stored = await this.#store.ask('storeSourceMaps', this.#limits);
      if (stored !== undefined && stored.added + stored.removed > 0)
        this.#log.info(stored, 'source_maps_stored');
      if (stored !== undefined && stored.skipped > 0) this.#log.warn(stored, 'source_maps_too_large');
      return true;
    } catch (error) {
      if (!this.#isStopped) this.#log.error({ err: error }, 'source_maps_not_stored');
      return false;
    }
  }
}
