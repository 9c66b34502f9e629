import { REAL_TIME, type TimeSource } from '../time/time-source.ts';

/** Number of concurrent clients from which waiting for them costs less than a second commit. */
const GROUP_ABOVE_CLIENTS = 8;
/** Longest wait for those clients: a fraction of an fsync on most disks. */
const GROUP_WAIT_MS = 2;
/** Number of settlements from which they get a commit without appends. */
const SETTLE_ABOVE_ROWS = 16;
/**
 * Longest wait of settlements for an append. No client waits for them, but a kill in this time repeats the delivery.
 */
const SETTLE_WAIT_MS = 10;

/** Work that waits for a commit. */
export interface PendingWork {
  readonly appends: number;
  /** Settlements, counts, malformed bodies and rate limits. */
  readonly writes: number;
}

/**
 * Decides when the next commit begins.
 *
 * Clients released by the same commit usually send their next envelope together. Committing the first envelope at
 * once makes the others wait for the next fsync, so that each client waits for two. A single client never waits.
 * Settlements go with the next appends: with a commit of their own, each envelope would cost three.
 */
export class GroupCommit {
  #clients = 0;
  readonly #time: Pick<TimeSource, 'startTimer' | 'nextTurn'>;
  #begun:
    { readonly isForAppends: boolean; readonly end: () => void; readonly cancel: () => void } | undefined;

  constructor(time: Pick<TimeSource, 'startTimer' | 'nextTurn'> = REAL_TIME) {
    this.#time = time;
  }

  /** Number of concurrent clients when the last commit ended. */
  get clients(): number {
    return this.#clients;
  }

  /** Resolves when the waiting work should be committed. */
  begin(waiting: PendingWork): Promise<void> {
    return new Promise((resolve) => {
      // At the end of this turn of the event loop, which may add more appends.
      const end = (): void => this.#time.nextTurn(resolve);
      if (this.#isEnough(waiting)) end();
      else this.#wait(waiting, end);
    });
  }

  /** Ends the wait early if enough work is waiting. @param waiting all work, including the new one. */
  added(waiting: PendingWork): void {
    if (this.#begun === undefined) return;
    const { isForAppends, end, cancel } = this.#begun;
    if (this.#isEnough(waiting)) {
      cancel();
      this.#begun = undefined;
      end();
    } else if (!isForAppends && waiting.appends > 0) {
      cancel();
      this.#wait(waiting, end);
    }
  }

  /** Records the end of a commit. @param clients clients that it releases, plus those that wait already. */
  ended(clients: number): void {
    this.#clients = clients;
  }

  #isEnough({ appends, writes }: PendingWork): boolean {
    if (appends === 0) return writes >= SETTLE_ABOVE_ROWS;
    return this.#clients < GROUP_ABOVE_CLIENTS || appends >= this.#clients;
  }

  #wait({ appends }: PendingWork, end: () => void): void {
    const isForAppends = appends > 0;
    const cancel = this.#time.startTimer(isForAppends ? GROUP_WAIT_MS : SETTLE_WAIT_MS, () => {
      this.#begun = undefined;
      end();
    });
    this.#begun = { isForAppends, end, cancel };
  }
}
