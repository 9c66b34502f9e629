import { RECEIVED_MS } from './envelopes.fixture.ts';
import type { EventMapper } from '../event/map-event.ts';
import { ownApplication } from '../event/own-files.ts';
import { ClientMaps } from '../../sourcemap/client-maps.ts';
import { EventMaps, type ServedClient } from '../source-maps/event-maps.ts';
import { StoredMaps } from '../source-maps/stored-maps.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import type { ReadOptions } from '../ingest/read-envelope.ts';
import type { RetentionLimits } from '../retention/retention.ts';
import type { StoreDatabase } from '../db/schema.ts';
import type { StoreOptions } from '../store.ts';
import { TestedStore } from './tested-store.fixture.ts';

const NO_MAPS: EventMapper = {
  mapper: new SourceMapper(() => Promise.resolve(undefined)),
  idsOf: () => [],
};

const OWN = ownApplication('/srv/errata');
/** Identity of the spool that envelopes of tests come through. */
const SPOOL = 4_711;

/** Opens the data of one test, any number of times. */
export type OpenData = () => StoreDatabase;

/** Makes empty data for one test. */
export type NewData = () => Promise<OpenData>;

/** Stores of one test; closed after it. */
export class StoresUnderTest {
  readonly faults: unknown[] = [];
  /** Current time of the stores. */
  nowMs = RECEIVED_MS;
  readonly #newData: NewData;
  readonly #open: TestedStore[] = [];
  #data: OpenData | null = null;

  constructor(newData: NewData) {
    this.#newData = newData;
  }

  /** A store over the test's data; a second one is what another replica or the next start sees. */
  async open(maps: EventMapper = NO_MAPS, read: Partial<ReadOptions> = {}): Promise<TestedStore> {
    return this.#keep(await this.#database(), { read: { maps, own: OWN, spool: SPOOL, ...read } });
  }

  /** Opens a store that runs its retention when its file is full. */
  async openRetaining(retention: RetentionLimits): Promise<TestedStore> {
    return this.#keep(await this.#database(), { read: { maps: NO_MAPS, own: OWN, spool: SPOOL }, retention });
  }

  /** Opens a store that serves the client of a folder, and stores its maps on request. */
  async openServing(
    directory: string,
    release: string,
    served: Partial<ServedClient> = {},
  ): Promise<TestedStore> {
    const database = await this.#database();
    const client = await ClientMaps.open(directory);
    const stored = new StoredMaps(database.db, () => this.nowMs);
    const read = {
      maps: new EventMaps(client, stored, { release, publicOrigin: null, otherProjects: [], ...served }),
      own: OWN,
      spool: SPOOL,
    };
    return this.#keep(database, { read, client });
  }

  async #database(): Promise<StoreDatabase> {
    this.#data ??= await this.#newData();
    return this.#data();
  }

  #keep(database: StoreDatabase, options: Pick<StoreOptions, 'read' | 'client' | 'retention'>): TestedStore {
    const store = new TestedStore(database, {
      ...options,
      onFault: (fault) => this.faults.push(fault),
      now: () => this.nowMs,
    });
    this.#open.push(store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((store) => store.close()));
    this.#data = null;
    this.faults.length = 0;
    this.nowMs = RECEIVED_MS;
  }
}
