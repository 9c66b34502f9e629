import { type Settlement, Sink } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { EventStore } from './event-store.ts';
import type { Flavor } from './db/schema.ts';

/**
 * Most events of one transaction. A read waits for it, some 40 ms. A power of two, see compiled-query.ts. With 512 an event
 * takes less CPU in the store alone, but beside intake and relay on one core it takes more (docs/decisions/016).
 */
const MAX_BATCH = 128;

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
