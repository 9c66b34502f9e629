import { EnvelopeOutbox } from './envelope-outbox.ts';
import { OUTBOX_LIMITS, toEvict, type OutboxEnvelope, type OutboxHead } from './queued-envelope.ts';

const STORE = 'envelopes';
const VERSION = 1;

/** Returns the key: priority, time, size and ID. Counting and evicting therefore read no bodies, only `getAllKeys`. */
function keyOf({ isError, queuedAtMs, bytes, id }: OutboxHead): [number, number, number, string] {
  return [Number(isError), queuedAtMs, bytes, id];
}

/** Parses a key; null for a key of another format. */
function headOf(key: IDBValidKey): OutboxHead | null {
  if (!Array.isArray(key)) return null;
  const [worth, queuedAtMs, bytes, id]: readonly unknown[] = key;
  if (typeof queuedAtMs !== 'number' || typeof bytes !== 'number' || typeof id !== 'string') return null;
  return { id, isError: worth === 1, queuedAtMs, bytes };
}

function answered<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('IndexedDB refused', { cause: request.error })));
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error('IndexedDB gave up', { cause: transaction.error }));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('error', refuse);
    transaction.addEventListener('abort', refuse);
  });
}

/** Opens the database; rejects when the browser refuses (private window, quota, broken profile). */
function open(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  const request = factory.open(name, VERSION);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return answered(request);
}

/**
 * Stores envelopes in IndexedDB, shared by all tabs of the origin and persistent across a crash of the browser. The
 * connection opens at once, so that an error in the last moment of a page needs one message to be stored.
 */
export class IndexedDbOutbox extends EnvelopeOutbox {
  readonly #factory: IDBFactory;
  readonly #name: string;
  readonly #now: () => number;
  readonly #limits: typeof OUTBOX_LIMITS;
  #database: Promise<IDBDatabase> | null = null;

  constructor(factory: IDBFactory, name: string, now: () => number = Date.now, limits = OUTBOX_LIMITS) {
    super();
    this.#factory = factory;
    this.#name = name;
    this.#now = now;
    this.#limits = limits;
    this.#connect().catch(() => undefined);
  }

  async add(envelope: OutboxEnvelope): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    const done = committed(transaction);
    transaction.objectStore(STORE).put(envelope.body, keyOf(envelope));
    // Without it the commit waits for a callback that a closing page never runs.
    transaction.commit();
    await done;
    await this.heads();
  }

  async heads(): Promise<readonly OutboxHead[]> {
    const transaction = await this.#transaction('readonly');
    const keys = await answered(transaction.objectStore(STORE).getAllKeys());
    const heads = keys.map(headOf).filter((head) => head !== null);
    const evicted = toEvict(heads, this.#now(), this.#limits);
    for (const head of evicted) await this.remove(head);
    return heads.filter((head) => !evicted.includes(head));
  }

  async read(head: OutboxHead): Promise<Uint8Array<ArrayBuffer> | null> {
    const transaction = await this.#transaction('readonly');
    const value: unknown = await answered(transaction.objectStore(STORE).get(keyOf(head)));
    // Copied, because fetch rejects views of memory that may be shared.
    return ArrayBuffer.isView(value)
      ? Uint8Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      : null;
  }

  async remove(head: OutboxHead): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    const done = committed(transaction);
    transaction.objectStore(STORE).delete(keyOf(head));
    transaction.commit();
    await done;
  }

  async #transaction(mode: IDBTransactionMode): Promise<IDBTransaction> {
    const database = await this.#connect();
    try {
      return database.transaction(STORE, mode);
    } catch {
      // The connection was closed: the user cleared the site's data, or the browser ran out of a resource.
      this.#database = null;
      const reopened = await this.#connect();
      return reopened.transaction(STORE, mode);
    }
  }

  #connect(): Promise<IDBDatabase> {
    this.#database ??= this.#open();
    return this.#database;
  }

  async #open(): Promise<IDBDatabase> {
    try {
      const database = await open(this.#factory, this.#name);
      // A later release may change the schema; an open connection would block it.
      database.addEventListener('versionchange', () => database.close());
      return database;
    } catch (error) {
      this.#database = null;
      throw error;
    }
  }
}
