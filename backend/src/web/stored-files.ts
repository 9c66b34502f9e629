import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type EventStore, StoreUnavailable } from '../store/event-store.ts';
import type { CountBy } from '../telemetry/metrics.ts';
import { RecentMap } from '../time/recent-map.ts';
import type { Coding } from './content-coding.ts';
import { encodedPage, type EncodedPage } from './index-page.ts';

/** Where a file came from whose name may have a content hash and that the folder lacks; `missing`: no build had it. */
export type StoredFileSource = 'store' | 'missing';
export const STORED_FILE_SOURCES: readonly StoredFileSource[] = ['store', 'missing'];

/** A file of another build. */
interface StoredFile extends EncodedPage {
  readonly coding: 'gzip' | 'identity';
  /** Whether other clients get another coding. */
  readonly varies: boolean;
}

/** Most names that are looked up at the same time: the store answers some thousand a second, scanners ask for any number. */
const MAX_LOOKUPS = 64;
/** An old tab loads a few dozen files, and many tabs the same ones: 32 MiB at most. */
const MAX_RECENT = 128;
const MAX_RECENT_BYTES = 256 * 1024;
/** As much as the store accepts (store/client-files/store-files.ts). */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * The files of other builds in the store, for a page of one build that asks a replica with another one. A file that is not there
 * is looked up again by each request: another replica may store it at any time.
 */
export class StoredFiles {
  readonly #store: Pick<EventStore, 'ask'>;
  readonly #count: CountBy<StoredFileSource>;
  readonly #lookups = new Map<string, Promise<StoredFile | undefined>>();
  readonly #recent = new RecentMap<string, StoredFile>(MAX_RECENT);

  constructor(store: Pick<EventStore, 'ask'>, count: CountBy<StoredFileSource>) {
    this.#store = store;
    this.#count = count;
  }

  /**
   * Returns a file in one of the codings that the client accepts, by its path below its client; undefined where none is stored.
   *
   * @throws StoreUnavailable when the store cannot answer, or has too many questions.
   */
  async find(path: string, accepted: readonly Coding[]): Promise<StoredFile | undefined> {
    const file = this.#recent.get(path) ?? (await this.#lookUp(path));
    this.#count(file === undefined ? 'missing' : 'store');
    if (file === undefined) return undefined;
    if (file.body.byteLength <= MAX_RECENT_BYTES) this.#recent.set(path, file);
    return file.coding === 'identity' || accepted.includes('gzip') ? file : unpacked(file);
  }

  /** Shares one look-up between all requests for the same path. */
  #lookUp(path: string): Promise<StoredFile | undefined> {
    const running = this.#lookups.get(path);
    if (running !== undefined) return running;
    if (this.#lookups.size >= MAX_LOOKUPS) throw new StoreUnavailable('too many files are looked up');
    const lookup = this.#read(path).finally(() => this.#lookups.delete(path));
    this.#lookups.set(path, lookup);
    return lookup;
  }

  async #read(path: string): Promise<StoredFile | undefined> {
    const stored = await this.#store.ask('clientFile', path).catch(rethrow);
    if (stored === undefined) return undefined;
    const { coding, body } = stored;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return { coding, varies: coding === 'gzip', ...encodedPage(bytes, coding) };
  }
}

/** Serve-static answers 404 to an error whose message names ENOENT, such as that of a database whose socket is away. */
function rethrow(cause: unknown): never {
  throw cause instanceof StoreUnavailable
    ? new StoreUnavailable('no file can be looked up', { cause })
    : cause;
}

async function unpacked({ body }: StoredFile): Promise<StoredFile> {
  const content = await promisify(gunzip)(body, { maxOutputLength: MAX_FILE_BYTES });
  return { coding: 'identity', varies: true, ...encodedPage(content, 'identity') };
}
