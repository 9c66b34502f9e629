import { type Settlement, Sink } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { EventStore } from './event-store.ts';
import type { Flavor } from './db/schema.ts';

/**
 * Events of one transaction, and the time a look-up waits behind it: some 20 ms. A power of two, see compiled-query.ts.
 * At 256 the collector copies what it saves: 185 µs an event over all threads, at 128 and 64 it is 167 and 174.
 */
const MAX_BATCH = 128;

/**
 * Batches under way at a time. PostgreSQL writes one while the store's thread reads the next, which takes about as long;
 * SQLite writes in that thread itself.
 */
export const BATCHES_AT_ONCE: Readonly<Record<Flavor, number>> = { sqlite: 1, postgres: 2 };

/** The store as the relay sees it; the spool marks what is for it with STORE_BIT. */
export class StoreSink extends Sink {
  override readonly maxBatch = MAX_BATCH;
  readonly #store: EventStore;

  constructor(store: EventStore) {
    super();
    this.#store = store;
  }

  override deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    return this.#store.ingest(batch);
  }
}
