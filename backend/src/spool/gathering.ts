/** A batch this large means that many send at once: waiting for the others costs less than a commit of its own. */
const GATHER_ABOVE_ROWS = 8;
/** Longest wait for them: a fraction of an fsync on most disks. */
const GATHER_MS = 1;

/**
 * When the next commit may begin.
 *
 * Who is answered by one commit tends to send again at the same moment. Committing the first of them at once makes
 * the rest wait for the next fsync, so that each needs two. A lone sender never waits.
 */
export class Gathering {
  #lastRows = 0;
  #wake: (() => void) | undefined;

  /** Resolves when what waits should be committed. @param rows that wait already. */
  begin(rows: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#lastRows < GATHER_ABOVE_ROWS || rows >= this.#lastRows) {
        // At the end of this turn of the event loop, which may still add some.
        setImmediate(resolve);
        return;
      }
      const timer = setTimeout(resolve, GATHER_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** An envelope has come. @param rows that wait now. */
  came(rows: number): void {
    if (this.#wake === undefined || rows < this.#lastRows) return;
    this.#wake();
    this.#wake = undefined;
  }

  /** A commit began with so many rows. */
  began(rows: number): void {
    this.#lastRows = rows;
    this.#wake = undefined;
  }
}
