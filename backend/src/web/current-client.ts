import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ForeignClient } from './foreign-client.ts';

/** Between two looks at index.html: a look costs some 10 us, and a person who builds waits no longer. */
const LOOK_MS = 1_000;
/** Age of a change from which the build has most likely written its other files, too. */
const SETTLED_MS = 1_000;

interface CurrentOptions {
  readonly clientDir: string;
  /** Reads the client. @throws Error when a file that it needs is missing or broken. */
  readonly read: () => ForeignClient;
  /** Is called after each new reading. @param error its failure; undefined: it has succeeded. */
  readonly onReload: (error: unknown) => void;
  readonly now?: () => number;
}

/**
 * The client of another team as it is in its folder: read at start, and again once a build has changed index.html. An old
 * page would name files that the build has removed. A build that cannot be read leaves the client as it was.
 */
export class CurrentClient {
  readonly #options: CurrentOptions;
  readonly #now: () => number;
  #client: ForeignClient;
  /** Modification time and size of the index.html that was read. */
  #version: string;
  #lookedMs: number;
  /** End of the process; undefined until it compresses files. */
  #end: AbortSignal | undefined;
  #compression = new AbortController();

  constructor(options: CurrentOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#lookedMs = this.#now();
    this.#version = versionOf(this.#look());
    this.#client = options.read();
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
    const status = this.#look();
    // A build removes it first. A copy may have an old modification time, but never an old change time.
    if (status === undefined || nowMs - status.ctimeMs < SETTLED_MS) return;
    const version = versionOf(status);
    if (version === this.#version) return;
    this.#version = version;
    try {
      this.#client = this.#options.read();
    } catch (error) {
      this.#options.onReload(error);
      return;
    }
    if (this.#end !== undefined) void this.compress(this.#end);
    this.#options.onReload(undefined);
  }

  #look(): Stats | undefined {
    return statSync(join(this.#options.clientDir, 'index.html'), { throwIfNoEntry: false });
  }
}

function versionOf(status: Stats | undefined): string {
  return `${status?.mtimeMs} ${status?.size}`;
}
