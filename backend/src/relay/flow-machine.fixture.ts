interface Task {
  readonly costMs: number;
  readonly run: () => void;
}

interface Timer {
  readonly atMs: number;
  readonly onDue: () => void;
}

/** A thread that runs its tasks one after the other, as an event loop does. Costs are processor time, ms. */
export class VirtualThread {
  /** Processor time so far, ms. */
  usedMs = 0;
  /** Processor time that its task still needs, ms. */
  leftMs = 0;
  #task: Task | undefined;
  #queue: Task[] = [];
  /** Index of the next task. */
  #at = 0;
  /** Cost of work that was added to the task under way. */
  #moreMs = 0;
  #isInTask = false;
  #isBlocked = false;

  get isRunning(): boolean {
    return this.#task !== undefined;
  }

  /** Runs a task after all others, at the end of its processor time. */
  push(costMs: number, run: () => void): void {
    this.#queue.push({ costMs, run });
    if (!this.isRunning && !this.#isInTask && !this.#isBlocked) this.#next();
  }

  /** Adds work to the task under way. */
  charge(costMs: number): void {
    if (this.#isInTask) this.#moreMs += costMs;
    else if (this.isRunning) this.leftMs += costMs;
    else this.push(costMs, () => {});
  }

  /** Waits for the disk: no task runs until {@link unblock}. */
  block(): void {
    this.#isBlocked = true;
  }

  unblock(): void {
    this.#isBlocked = false;
    this.#next();
  }

  pass(costMs: number): void {
    if (!this.isRunning) return;
    this.leftMs -= costMs;
    this.usedMs += costMs;
  }

  finish(): void {
    const task = this.#task;
    this.#task = undefined;
    this.#isInTask = true;
    task?.run();
    this.#isInTask = false;
    if (!this.#isBlocked) this.#next();
  }

  #next(): void {
    const next = this.#moreMs > 0 ? { costMs: this.#moreMs, run: () => {} } : this.#shift();
    this.#moreMs = 0;
    this.#task = next;
    this.leftMs = next?.costMs ?? 0;
  }

  #shift(): Task | undefined {
    const task = this.#queue[this.#at];
    this.#at += 1;
    if (this.#at < this.#queue.length) return task;
    this.#queue = [];
    this.#at = 0;
    return task;
  }
}

/** Time after which Linux renews the processor time of a container, ms. */
const PERIOD_MS = 100;

/** A computer in virtual time: its threads share the cores equally, each uses one at most. */
export class VirtualMachine {
  readonly #cores: number;
  readonly #limitMs: number;
  readonly #threads: VirtualThread[] = [];
  /** The first one is the last element. */
  readonly #timers: Timer[] = [];
  #nowMs = 0;
  #isPromised = false;
  /** Processor time left in this period. */
  #leftMs = Infinity;
  #renewsAtMs = 0;

  /** @param limit of a container: cores that the process may use on average over a period. */
  constructor(cores: number, limit = Infinity) {
    this.#cores = cores;
    this.#limitMs = limit * PERIOD_MS;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Processor time of all threads so far, ms. */
  get usedMs(): number {
    return this.#threads.reduce((sum, { usedMs }) => sum + usedMs, 0);
  }

  thread(): VirtualThread {
    const thread = new VirtualThread();
    this.#threads.push(thread);
    return thread;
  }

  after(delayMs: number, onDue: () => void): void {
    const atMs = this.#nowMs + delayMs;
    let low = 0;
    for (let high = this.#timers.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle]?.atMs ?? 0) > atMs) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, { atMs, onDue });
  }

  /** A promise was resolved: its callback runs before the clock moves on. */
  promised(): void {
    this.#isPromised = true;
  }

  async run(untilMs: number): Promise<void> {
    while (this.#nowMs < untilMs) {
      this.#step(untilMs);
      if (!this.#isPromised) continue;
      this.#isPromised = false;
      await Promise.resolve();
    }
  }

  /** Moves the clock to the end of a task or to a timer. */
  #step(untilMs: number): void {
    if (this.#nowMs >= this.#renewsAtMs) {
      this.#leftMs = this.#limitMs;
      this.#renewsAtMs = this.#nowMs + PERIOD_MS;
    }
    let running = 0;
    let first: VirtualThread | undefined;
    for (const thread of this.#threads) {
      if (!thread.isRunning) continue;
      running += 1;
      if (first === undefined || thread.leftMs < first.leftMs) first = thread;
    }
    const rate = this.#leftMs > 0 ? Math.min(1, this.#cores / running) : 0;
    const doneAtMs = first === undefined ? Infinity : this.#nowMs + Math.max(0, first.leftMs) / rate;
    const timerAtMs = this.#timers.at(-1)?.atMs ?? Infinity;
    const usedUpAtMs = rate > 0 ? this.#nowMs + this.#leftMs / (running * rate) : Infinity;
    const nextMs = Math.min(doneAtMs, timerAtMs, usedUpAtMs, this.#renewsAtMs, untilMs);
    for (const thread of this.#threads) thread.pass((nextMs - this.#nowMs) * rate);
    this.#leftMs = nextMs === usedUpAtMs ? 0 : this.#leftMs - (nextMs - this.#nowMs) * running * rate;
    this.#nowMs = nextMs;
    if (nextMs === doneAtMs) first?.finish();
    else if (nextMs === timerAtMs) this.#timers.pop()?.onDue();
  }
}
