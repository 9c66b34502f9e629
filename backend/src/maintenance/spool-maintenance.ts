import type { Spool } from '../spool/spool.ts';
import { EXPIRE_BATCH } from '../spool/protocol/spool-messages.ts';

/** Ages are hours and days: a minute more does not matter. */
const EXPIRE_MS = 60_000;

/** What the spool does now and then: let go of what is too old, tell upstreams what was let go of. */
export class SpoolUpkeep {
  readonly #spool: Spool;
  readonly #onFault: (error: unknown) => void;
  readonly #reportMs: number;
  readonly #reportable: () => readonly string[];
  readonly #timers: NodeJS.Timeout[] = [];

  /** @param reports how often, and to the upstreams of which projects now. */
  constructor(
    spool: Spool,
    reports: { readonly everyMs: number; readonly reportable: () => readonly string[] },
    onFault: (error: unknown) => void,
  ) {
    this.#spool = spool;
    this.#reportMs = reports.everyMs;
    this.#reportable = reports.reportable;
    this.#onFault = onFault;
  }

  start(): void {
    this.#every(EXPIRE_MS, () => this.#expire());
    this.#every(this.#reportMs, () => this.#report());
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  #every(ms: number, work: () => Promise<void>): void {
    const run = (): void => {
      work().catch(this.#onFault);
    };
    this.#timers.push(setInterval(run, ms).unref());
  }

  async #expire(): Promise<void> {
    for (let expired = EXPIRE_BATCH; expired >= EXPIRE_BATCH;)
      ({ expired } = await this.#spool.ask('expire', { nowMs: Date.now() }));
  }

  /** While an upstream takes nothing its reports would only lie among what it is to be told of. */
  async #report(): Promise<void> {
    const projects = this.#reportable();
    if (projects.length === 0) return;
    await this.#spool.enqueue('report', { projects, nowMs: Date.now() });
  }
}
