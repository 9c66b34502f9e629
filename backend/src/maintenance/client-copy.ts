import type { ServedFolder } from '../store/client-files/store-files.ts';
import type { EventStore } from '../store/event-store.ts';
import type { SourceMapLimits } from '../store/source-maps/store-client.ts';
import type { Log } from '../telemetry/log.ts';
import { every, type Job } from '../time/every.ts';
import { DAY_MS } from '../time/iso.ts';

/** Counts the served client as used, which is recorded once a day. */
const SCHEDULE = { everyMs: DAY_MS, retryMs: 60_000, isAtOnce: true };

/**
 * Copies the served clients to the store: first their files, for pages that reach another replica later, then
 * their source maps, for their errors.
 */
export class ClientCopy {
  readonly #store: Pick<EventStore, 'ask'>;
  readonly #limits: () => SourceMapLimits;
  readonly #log: Pick<Log, 'error' | 'info' | 'warn'>;
  readonly #tried = Promise.withResolvers<void>();
  #folders: () => readonly ServedFolder[] = () => [];
  #files: Job | undefined;

  constructor(
    store: Pick<EventStore, 'ask'>,
    limits: () => SourceMapLimits,
    log: Pick<Log, 'error' | 'info' | 'warn'>,
  ) {
    this.#store = store;
    this.#limits = limits;
    this.#log = log;
  }

  /** Resolves when the files of this start are stored, or the first try has failed. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  /** Sets the clients whose files are stored; without it there are none. @param folders returns them as they are now. */
  useFilesOf(folders: () => readonly ServedFolder[]): void {
    this.#folders = folders;
  }

  /** Starts the copies. */
  start(): readonly Job[] {
    this.#files = every(
      SCHEDULE,
      () => this.#storeFiles().finally(() => this.#tried.resolve()),
      (err) => this.#log.error({ err }, 'client_files_not_stored'),
    );
    const maps = every(
      SCHEDULE,
      () => this.tried.then(() => this.#storeMaps()),
      (err) => this.#log.error({ err }, 'source_maps_not_stored'),
    );
    return [this.#files, maps];
  }

  /**
   * Copies a new build. Source maps that could not be stored are logged; the thread of the store reads all maps when it
   * restarts.
   */
  async clientChanged(): Promise<void> {
    this.#files?.runNow();
    await this.#storeMaps(true).catch((err: unknown) => this.#log.error({ err }, 'source_maps_not_stored'));
  }

  async #storeFiles(): Promise<void> {
    const folders = this.#folders();
    if (folders.length === 0) return;
    const stored = await this.#store.ask('storeClientFiles', folders, this.#limits().maxBytes);
    if (stored.added + stored.removed > 0) this.#log.info(stored, 'client_files_stored');
    if (stored.skipped > 0) this.#log.warn(stored, 'client_files_too_large');
    if (stored.tooMany !== undefined) this.#log.warn(stored, 'client_files_too_many');
    if (stored.unreadable !== undefined) this.#log.warn(stored, 'client_files_unreadable');
  }

  /** @param hasChanged whether a new build is served. */
  async #storeMaps(hasChanged = false): Promise<void> {
    const stored = await this.#store.ask('storeSourceMaps', this.#limits(), hasChanged);
    if (stored === undefined) return;
    if (stored.added + stored.removed > 0) this.#log.info(stored, 'source_maps_stored');
    if (stored.skipped > 0) this.#log.warn(stored, 'source_maps_too_large');
    if (stored.unreadable !== undefined) this.#log.warn(stored, 'source_maps_unreadable');
  }
}
