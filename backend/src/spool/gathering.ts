/** So many senders at once are worth waiting for: that costs less than a commit of their own. */
const GATHER_ABOVE_ROWS = 8;
/** Longest wait for them: a fraction of an fsync on most disks. */
const GATHER_MS = 2;

/**
 * When the next commit may begin.
 *
 * Who is answered by one commit tends to send again at the same moment. Committing the first of them at once makes
 * the rest wait for the next fsync, so that each needs two. A lone sender never waits.
 */
export class Gathering {
  /** How many sent at the same time when the last commit ended. */
  #senders = 0;
  #wake: (() => void) | undefined;

  /** Resolves when what waits should be committed. @param rows that wait already. */
  begin(rows: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#senders < GATHER_ABOVE_ROWS || rows >= this.#senders) {
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
    if (this.#wake === undefined || rows < this.#senders) return;
    this.#wake();
    this.#wake = undefined;
  }

  /** A commit has ended. @param senders who are about to be answered, and who wait already. */
  ended(senders: number): void {
    this.#senders = senders;
    this.#wake = undefined;
  }
}
