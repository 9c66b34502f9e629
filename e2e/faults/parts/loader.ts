import { setTimeout as delay } from 'node:timers/promises';
import type { Agent } from 'node:http';
import { type Kind, type Made, makeEnvelope, MIXED } from './envelopes.ts';
import type { Oracle } from './oracle.ts';
import { type Answered, keptConnections, post } from './post.ts';

export interface LoadOptions {
  /** Senders at once, each with one request under way. */
  readonly senders: number;
  /** All senders together; null: as fast as answers come. */
  readonly perSecond?: number;
  /** Ends after so many; otherwise when it is stopped. */
  readonly total?: number;
  readonly kinds?: readonly Kind[];
  readonly attachment?: Buffer;
}

interface Target {
  readonly url: string;
  readonly dsn: string;
  readonly oracle: Oracle;
}

/** Concurrent senders with envelopes of their own; each 200 becomes an obligation at once. */
export class Loader {
  readonly #target: Target;
  readonly #options: LoadOptions;
  readonly #agent: Agent = keptConnections();
  readonly answers: Answered[] = [];
  readonly made: Made[] = [];
  readonly #startedAtMs = performance.now();
  readonly #stop = new AbortController();
  readonly #senders: Promise<unknown>;

  constructor(target: Target, options: LoadOptions) {
    this.#target = target;
    this.#options = options;
    this.#senders = Promise.all(Array.from({ length: options.senders }, () => this.#send()));
  }

  /** How often a status was answered; null: connections that were cut. */
  count(status: number | null): number {
    return this.answers.filter((answer) => answer.status === status).length;
  }

  /** Ends once all of `total` were sent. */
  async done(): Promise<void> {
    await this.#senders;
    this.#agent.destroy();
  }

  /** Starts no more requests and waits for those under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.done();
  }

  async #send(): Promise<void> {
    const { kinds = MIXED, attachment, total = Infinity } = this.#options;
    const extras = attachment === undefined ? {} : { attachment };
    while (!this.#stop.signal.aborted && this.made.length < total) {
      const kind = kinds[this.made.length % kinds.length] ?? 'error';
      const made = makeEnvelope(this.#target.dsn, kind, extras);
      const slot = this.made.push({ ...made, bytes: Buffer.alloc(0) }) - 1;
      await this.#untilSlot(slot);
      if (this.#stop.signal.aborted) return;
      const answer = await post(this.#target.url, made.bytes, this.#agent);
      this.answers.push(answer);
      if (answer.status === 200) this.#target.oracle.acknowledged(made);
      // A refused connection answers at once: a process that is down must not be knocked at in a tight loop.
      else if (answer.status === null) await delay(5);
    }
  }

  /** Spreads the sends of all senders evenly over time. */
  async #untilSlot(slot: number): Promise<void> {
    const { perSecond } = this.#options;
    if (perSecond === undefined) return;
    const waitMs = this.#startedAtMs + (slot / perSecond) * 1_000 - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
