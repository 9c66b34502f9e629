import { setTimeout as delay } from 'node:timers/promises';
import type { Opened, SpoolCall, SpoolCalls, SpoolWorkerData } from './protocol/spool-messages.ts';
import { SpoolThread, SpoolUnavailable } from './spool-thread.ts';

/** Pause before a dead thread is started again. */
const RESTART_PAUSE_MS = 100;

type SupervisorState = 'opening' | 'open' | 'recovering' | 'closed';

const MOVES: Readonly<Record<SupervisorState, readonly SupervisorState[]>> = {
  opening: ['open'],
  open: ['recovering', 'closed'],
  recovering: ['open', 'closed'],
  closed: [],
};

export interface SupervisorEvents {
  /** A thread has opened the file: the first one, or one that replaces a dead thread. */
  readonly onOpened: (opened: Opened) => void;
  /** The thread died, or its restart failed. */
  readonly onDeath: (cause: Error) => void;
}

type StartThread = (
  data: SpoolWorkerData,
  onDeath: (cause: Error) => void,
) => ReturnType<typeof SpoolThread.start>;

/**
 * Keeps one thread of the spool running: starts it again after each death, until it is closed.
 *
 * States: opening -> open -> recovering (the thread died) -> open; open, recovering -> closed.
 */
export class ThreadSupervisor {
  readonly #data: SpoolWorkerData;
  readonly #events: SupervisorEvents;
  readonly #startThread: StartThread;
  readonly #pause: () => Promise<void>;
  #thread: SpoolThread | undefined;
  #state: SupervisorState = 'opening';

  /** @param startThread starts the thread; a test passes its own */
  constructor(
    data: SpoolWorkerData,
    events: SupervisorEvents,
    startThread: StartThread = (...args) => SpoolThread.start(...args),
    pause: () => Promise<void> = () => delay(RESTART_PAUSE_MS),
  ) {
    this.#data = data;
    this.#events = events;
    this.#startThread = startThread;
    this.#pause = pause;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Starts the first thread. Rejects with its error: only a later one is tried again. */
  open(): Promise<void> {
    return this.#start();
  }

  /** Sends work to the thread. Rejects with {@link SpoolUnavailable}. */
  async ask<C extends SpoolCall>(
    call: C,
    work: SpoolCalls[C]['work'],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<SpoolCalls[C]['reply']> {
    if (this.#thread === undefined)
      throw new SpoolUnavailable('error', 'the spool thread is being restarted');
    return this.#thread.ask(call, work, transfer);
  }

  /** Has the thread close the file; starts no further thread. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#move('closed');
    await this.#thread?.ask('close', null);
  }

  async #start(): Promise<void> {
    const { thread, opened } = await this.#startThread(this.#data, (cause) => this.#died(cause));
    if (this.#state === 'closed') {
      await thread.ask('close', null);
      return;
    }
    this.#thread = thread;
    this.#move('open');
    this.#events.onOpened(opened);
  }

  #died(cause: Error): void {
    this.#thread = undefined;
    this.#move('recovering');
    this.#events.onDeath(cause);
    void this.#restart();
  }

  async #restart(): Promise<void> {
    for (;;) {
      await this.#pause();
      if (this.#state !== 'recovering') return;
      try {
        // The next death starts a loop of its own; with two of them, one finds the directory locked by the other.
        return await this.#start();
      } catch (error) {
        this.#events.onDeath(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #move(to: SupervisorState): void {
    if (!MOVES[this.#state].includes(to)) throw new Error(`spool thread supervisor: ${this.#state} -> ${to}`);
    this.#state = to;
  }
}
