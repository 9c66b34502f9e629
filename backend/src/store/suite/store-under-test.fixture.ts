import type { EventStore } from '../event-store.ts';
import { RECEIVED_MS } from '../envelopes.fixture.ts';
import type { EventMapper } from '../ingest/map-event.ts';
import { ownApplication } from '../ingest/own-files.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import type { ReadOptions } from '../ingest/read-envelope.ts';
import type { StoreDatabase } from '../schema.ts';
import { SqlEventStore } from '../sql-event-store.ts';

const NO_MAPS: EventMapper = {
  mapper: new SourceMapper(() => Promise.resolve(undefined)),
  idOfUrl: () => undefined,
};

/** Opens the same data again and again; each test has data of its own. */
export type OpenData = () => StoreDatabase;

/** Gives a test its empty data. */
export type NewData = () => Promise<OpenData>;

/** Stores of a test, closed behind it. */
export class StoresUnderTest {
  readonly faults: unknown[] = [];
  readonly #newData: NewData;
  readonly #open: EventStore[] = [];
  #data: OpenData | null = null;

  constructor(newData: NewData) {
    this.#newData = newData;
  }

  /** A store over the test's data; a second one is what another replica or the next start sees. */
  async open(maps: EventMapper = NO_MAPS, read: Partial<ReadOptions> = {}): Promise<EventStore> {
    this.#data ??= await this.#newData();
    const store = new SqlEventStore(this.#data(), {
      read: { maps, own: ownApplication('/srv/errata'), ...read },
      onFault: (fault) => this.faults.push(fault),
      now: () => RECEIVED_MS,
    });
    this.#open.push(store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((store) => store.close()));
    this.#data = null;
    this.faults.length = 0;
  }
}
