import type { Settlement } from '../../sink/sink.ts';
import type { QueuedEnvelope } from '../../sink/queued-envelope.ts';
import { packForStore } from '../event/store-envelope.ts';
import type { Database, Flavor, StoreDatabase } from '../db/schema.ts';
import { Store, type StoreOptions } from '../store.ts';
import { eventIdOf } from './envelopes.fixture.ts';

/** A store without its thread, with the calls of its client. */
export class TestedStore extends Store {
  readonly db: Database;
  readonly flavor: Flavor;

  constructor(database: StoreDatabase, options: StoreOptions) {
    super(database, options);
    this.db = database.db;
    this.flavor = database.flavor;
  }

  ingest(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    return this.take(packForStore(batch));
  }
}

export async function digestOfEvent(store: TestedStore, number: number): Promise<string> {
  const event = await store.ask('event', eventIdOf(number));
  return event?.digest ?? '';
}
