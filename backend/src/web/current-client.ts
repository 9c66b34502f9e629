import { realpathSync } from 'node:fs';
import { type ClientLook, foldersOf, lookAtClient } from './client-look.ts';
import type { ForeignClient } from './foreign-client.ts';
import { listFiles } from '../sourcemap/list-files.ts';

/** Between two looks at the folder: a person who builds waits no longer. */
const LOOK_MS = 1_000;
/** Age of a change from which the build has most likely written its other files, too. */
const SETTLED_MS = 1_000;

interface CurrentOptions {
  /** Absolute; may be or contain a link that a deploy swaps. */
  readonly clientDir: string;
  /** Reads the client in a folder without links. @throws Error when a file that it needs is missing or broken. */
  readonly read: (root: string, paths: readonly string[]) => ForeignClient;
  /** Is called after each new reading. @param error its failure; undefined: it has succeeded. */
  readonly onReload: (error: unknown) => void;
  readonly now?: () => number;
}

/**
 * The client of another team as it is in its folder: read at start, and again once a build has changed index.html or the
 * names in its folders, or another folder is in its place. An old page would name files that the build has removed. A build
 * that cannot be read leaves the client as it was.
 */
export class CurrentClient {
  readonly #options: CurrentOptions;
  readonly #now: () => number;
  #client: ForeignClient;
  /** Folders of the client that was read, and what tells it from the next one. */
  #folders: readonly string[] = [''];
  #version: string | undefined;
  #lookedMs: number;
  /** End of the process; undefined until it compresses files. */
  #end: AbortSignal | undefined;
  #compression = new AbortController();

  constructor(options: CurrentOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#lookedMs = this.#now();
    this.#client = this.#read(realpathSync(options.clientDir));
  }

  /** Returns the client, for one request. */
  get(): ForeignClient {
    const nowMs = this.#now();
    if (nowMs - this.#lookedMs >= LOOK_MS) {
      this.#lookedMs = nowMs;
      this.#readChange(nowMs);
    }
    return this.#client;
  }

  /** Compresses the text files of the client, and of each that follows, until `signal` aborts. */
  async compress(signal: AbortSignal): Promise<void> {
    this.#end = signal;
    this.#compression.abort();
    this.#compression = new AbortController();
    await this.#client.compress(AbortSignal.any([signal, this.#compression.signal]));
  }

  #readChange(nowMs: number): void {
    const look = this.#look();
    if (look === undefined || look.version === this.#version) return;
    // A copy may have an old modification time, but never an old change time.
    if (nowMs - look.changedMs < SETTLED_MS) return;
    try {
      this.#client = this.#read(look.root);
    } catch (error) {
      this.#options.onReload(error);
      return;
    }
    if (this.#end !== undefined) void this.compress(this.#end);
    this.#options.onReload(undefined);
  }

  /** The look comes before the reading: a change in between is then a new version. */
  #read(root: string): ForeignClient {
    const paths = listFiles(root);
    this.#folders = foldersOf(paths);
    this.#version = this.#look()?.version;
    return this.#options.read(root, paths);
  }

  #look(): ClientLook | undefined {
    return lookAtClient(this.#options.clientDir, this.#folders);
  }
}
