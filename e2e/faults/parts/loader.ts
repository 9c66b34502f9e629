import { setTimeout as delay } from 'node:timers/promises';
import type { Agent } from 'node:http';
import { type Kind, type Made, makeEnvelope, MIXED } from './envelopes.ts';
import type { Oracle } from './oracle.ts';
import { type Answered, keptConnections, post } from './post.ts';

export interface LoadOptions {
  /** Number of clients, each with one request in flight. */
  readonly senders: number;
  /** Rate of all clients together; null: as fast as responses arrive. */
  readonly perSecond?: number;
  /** Number of envelopes; without it the load ends when it is stopped. */
  readonly total?: number;
  readonly kinds?: readonly Kind[];
  readonly attachment?: Buffer;
}

interface Target {
  readonly url: string;
  readonly dsn: string;
  readonly oracle: Oracle;
}

/** Concurrent clients that send unique envelopes; each 200 becomes an obligation immediately. */
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

  /** Returns the number of responses with a status; null: connections that were cut. */
  count(status: number | null): number {
    return this.answers.filter((answer) => answer.status === status).length;
  }

  /** Resolves when `total` envelopes were sent. */
  async done(): Promise<void> {
    await this.#senders;
    this.#agent.destroy();
  }

  /** Starts no more requests and waits for those in flight. */
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
      // A refused connection fails immediately; the pause prevents a tight loop while the process is down.
      else if (answer.status === null) await delay(5);
    }
  }

  /** Spreads the requests of all clients evenly over time. */
  async #untilSlot(slot: number): Promise<void> {
    const { perSecond } = this.#options;
    if (perSecond === undefined) return;
    const waitMs = this.#startedAtMs + (slot / perSecond) * 1_000 - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
