import { type Settlement, Sink } from '../relay/sink.ts';
import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';
import type { EventStore } from './event-store.ts';

/** Events of one transaction: at 64 its fsync is a tenth of the work, and a look-up waits some 20 ms behind it. */
const MAX_BATCH = 64;

/** The store as the relay sees it; the spool marks what is for it with STORE_BIT. */
export class StoreSink extends Sink {
  override readonly maxBatch = MAX_BATCH;
  readonly #store: EventStore;

  constructor(store: EventStore) {
    super();
    this.#store = store;
  }

  override deliver(batch: readonly SpooledEnvelope[]): Promise<readonly Settlement[]> {
    return this.#store.ingest(batch);
  }
}
