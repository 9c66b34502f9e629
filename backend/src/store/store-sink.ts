import { type Settlement, Sink } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { EventStore } from './event-store.ts';
import type { Flavor } from './db/schema.ts';

/**
 * Most events of one transaction. A power of two, see compiled-query.ts. An event takes a seventh less CPU than with 128, and
 * in an overload a look-up waits for some 100 ms (docs/decisions/016). Below some hundred events a second batches are small.
 */
const MAX_BATCH = 512;

/**
 * Concurrent batches. PostgreSQL writes one batch while the store's thread parses the next, which takes about as long;
 * SQLite writes in that thread itself.
 */
export const BATCHES_AT_ONCE: Readonly<Record<Flavor, number>> = { sqlite: 1, postgres: 2 };

/** Delivers to the store. The spool marks the envelopes for it with STORE_BIT. */
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
