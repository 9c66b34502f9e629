import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind, Made } from './envelopes.ts';

/** An envelope that was answered 200, and so must not be lost. */
export interface Obligation {
  readonly id: string;
  readonly itemsHash: string;
  readonly kind: Kind;
  /** Time of the 200, by the monotonic clock of the bench. */
  readonly atMs: number;
}

/** Stores the obligations in a file that no fault touches: one line for each 200, written immediately. */
export class Oracle {
  readonly #path: string;
  readonly #file: number;

  constructor(directory: string) {
    this.#path = join(directory, 'obligations');
    this.#file = openSync(this.#path, 'a');
  }

  acknowledged({ id, itemsHash, kind }: Made): void {
    writeSync(this.#file, `${id} ${itemsHash} ${kind} ${performance.now()}\n`);
  }

  /** Returns all obligations by their ID. */
  read(): ReadonlyMap<string, Obligation> {
    const lines = readFileSync(this.#path, 'utf8').split('\n').slice(0, -1);
    return new Map(
      lines.map((line) => {
        const [id = '', itemsHash = '', kind, atMs] = line.split(' ');
        return [id, { id, itemsHash, kind: kind as Kind, atMs: Number(atMs) }];
      }),
    );
  }

  close(): void {
    closeSync(this.#file);
  }
}
