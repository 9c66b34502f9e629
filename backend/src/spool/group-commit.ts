/** So many senders at once are worth waiting for: that costs less than a commit of their own. */
const GATHER_ABOVE_ROWS = 8;
/** Longest wait for them: a fraction of an fsync on most disks. */
const GATHER_MS = 2;
/** So many settlements are worth a commit of their own; fewer go with the next append. */
const SETTLE_ABOVE_ROWS = 16;
/** Longest wait for it. Nobody waits for a settlement, but a kill meanwhile makes the delivery come twice. */
const SETTLE_MS = 10;

/** What waits for a commit. */
export interface Waiting {
  readonly appends: number;
  /** Settlements, and whatever else is to be noted. */
  readonly notes: number;
}

/**
 * When the next commit may begin.
 *
 * Who is answered by one commit tends to send again at the same moment. Committing the first of them at once makes
 * the rest wait for the next fsync, so that each needs two. A lone sender never waits. What became of envelopes goes
 * with the next ones that come: with a commit of its own each would need three.
 */
export class GroupCommit {
  #senders = 0;
  #begun:
    { readonly isForAppends: boolean; readonly end: () => void; readonly timer: NodeJS.Timeout } | undefined;

  /** How many sent at the same time when the last commit ended. */
  get senders(): number {
    return this.#senders;
  }

  /** Resolves when what waits should be committed. */
  begin(waiting: Waiting): Promise<void> {
    return new Promise((resolve) => {
      // At the end of this turn of the event loop, which may still add some.
      const end = (): void => void setImmediate(resolve);
      if (this.#isEnough(waiting)) end();
      else this.#wait(waiting, end);
    });
  }

  /** Something has come. @param waiting with it. */
  came(waiting: Waiting): void {
    if (this.#begun === undefined) return;
    const { isForAppends, end, timer } = this.#begun;
    if (this.#isEnough(waiting)) {
      clearTimeout(timer);
      this.#begun = undefined;
      end();
    } else if (!isForAppends && waiting.appends > 0) {
      clearTimeout(timer);
      this.#wait(waiting, end);
    }
  }

  /** A commit has ended. @param senders who are about to be answered, and who wait already. */
  ended(senders: number): void {
    this.#senders = senders;
  }

  #isEnough({ appends, notes }: Waiting): boolean {
    if (appends === 0) return notes >= SETTLE_ABOVE_ROWS;
    return this.#senders < GATHER_ABOVE_ROWS || appends >= this.#senders;
  }

  #wait({ appends }: Waiting, end: () => void): void {
    const isForAppends = appends > 0;
    const timer = setTimeout(
      () => {
        this.#begun = undefined;
        end();
      },
      isForAppends ? GATHER_MS : SETTLE_MS,
    );
    this.#begun = { isForAppends, end, timer };
  }
}
