import { EnvelopeOutbox } from './envelope-outbox.ts';
import { OUTBOX_LIMITS, toEvict, type OutboxEnvelope, type OutboxHead } from './queued-envelope.ts';

const STORE = 'envelopes';
const VERSION = 1;

/**
 * A key says all there is to know of an envelope but its bytes (worth, time, size, id), so that counting and
 * evicting read no bodies: one `getAllKeys` answers everything.
 */
function keyOf({ isError, queuedAtMs, bytes, id }: OutboxHead): [number, number, number, string] {
  return [Number(isError), queuedAtMs, bytes, id];
}

/** Null for a key that is none of ours. */
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

/** Rejects when the browser refuses (private windows, quota, a profile that is broken). */
function open(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  const request = factory.open(name, VERSION);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return answered(request);
}

/**
 * Envelopes in IndexedDB, shared by all tabs of the origin and there after a crash of the browser. The connection is
 * opened at once, so that an error in the last moment of a page is one message away from being kept.
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
    // Without it the commit waits for an answer that a closing page no longer hears.
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
    // A copy, because fetch takes no view of memory that might be shared.
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
      // Closed under us: the user cleared the site's data, or the browser ran out of something.
      this.#database = null;
      const anew = await this.#connect();
      return anew.transaction(STORE, mode);
    }
  }

  #connect(): Promise<IDBDatabase> {
    this.#database ??= this.#open();
    return this.#database;
  }

  async #open(): Promise<IDBDatabase> {
    try {
      const database = await open(this.#factory, this.#name);
      // A later release of the page may change the layout; an open connection would hold it up.
      database.addEventListener('versionchange', () => database.close());
      return database;
    } catch (error) {
      this.#database = null;
      throw error;
    }
  }
}
