import { setImmediate } from 'node:timers/promises';
import type { PageLifecycle } from './page-lifecycle.ts';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** The tabs of one origin: its lock and its clock. */
export class FakeOrigin {
  nowMs = 1_000_000;
  #holder: FakePage | null = null;

  async withLock(page: FakePage, run: () => Promise<void>): Promise<boolean> {
    if (this.#holder !== null) return false;
    this.#holder = page;
    await run();
    this.release(page);
    return true;
  }

  /** Frees the lock, as the browser does for a closed tab. */
  release(page: FakePage): void {
    if (this.#holder === page) this.#holder = null;
  }
}

/** A tab with a fake clock: timers run when `pass` reaches them, until the tab is closed. */
export class FakePage implements PageLifecycle {
  hidden = false;
  offline = false;
  readonly #origin: FakeOrigin;
  #timers: Timer[] = [];
  #listeners: (() => void)[] = [];

  constructor(origin = new FakeOrigin()) {
    this.#origin = origin;
  }

  /** Delays of the pending timers, ms from now. */
  get timers(): readonly number[] {
    return this.#timers.map(({ atMs }) => atMs - this.#origin.nowMs);
  }

  isHidden(): boolean {
    return this.hidden;
  }

  isOffline(): boolean {
    return this.offline;
  }

  onReturn(listener: () => void): void {
    this.#listeners.push(listener);
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#origin.nowMs + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  elapsedMs(): number {
    return this.#origin.nowMs;
  }

  wallMs(): number {
    return this.#origin.nowMs;
  }

  withLock(run: () => Promise<void>): Promise<boolean> {
    return this.#origin.withLock(this, run);
  }

  /** Advances the clock and runs the timers that are due. */
  async pass(durationMs: number): Promise<void> {
    this.#origin.nowMs += durationMs;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.#origin.nowMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { run } of due) run();
    await settled();
  }

  /** Becomes visible and online. */
  async comeBack(): Promise<void> {
    this.hidden = false;
    this.offline = false;
    for (const listener of this.#listeners) listener();
    await settled();
  }

  /** Cancels its timers and frees the lock. */
  close(): void {
    this.#origin.release(this);
    this.#timers = [];
    this.#listeners = [];
  }
}

/** Waits until all promises are settled; they need only turns of the event loop. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}
