import { EventEmitter, once } from 'node:events';
import type { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Extras, type Kind, type Made, makeEnvelope, MIXED } from './envelopes.ts';
import { type Answered, keptConnections, postUntilCommitted } from './post.ts';
import { WATCHDOG_MS } from './waiting.ts';

export interface LoadOptions extends Extras {
  /** Number of clients, each with one request in flight. */
  readonly senders: number;
  /** Rate of all clients together; by default as fast as responses arrive. */
  readonly perSecond?: number | undefined;
  /** Number of envelopes; without it the load ends when it is stopped. */
  readonly total?: number;
  readonly kinds?: readonly Kind[];
}

interface Target {
  readonly url: string;
  readonly dsn: string;
  /** Records a 200. */
  readonly acknowledge: (made: Made) => void;
}

/** Concurrent clients that send unique envelopes; each 200 becomes an obligation immediately. */
export class Loader {
  readonly #target: Target;
  readonly #options: LoadOptions;
  readonly #agent: Agent = keptConnections();
  readonly answers: Answered[] = [];
  readonly made: Made[] = [];
  /** Number of answers that reported a late commit; their envelopes were sent again. */
  late = 0;
  readonly #counts = new Map<number | null, number>();
  readonly #onAnswer = new EventEmitter();
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
    return this.#counts.get(status) ?? 0;
  }

  /** Number of responses with a status that is not in the list, and of connections that were cut. */
  countOthers(...statuses: readonly number[]): number {
    return statuses.reduce((count, status) => count - this.count(status), this.answers.length);
  }

  /** Resolves at once with the answer that makes `wanted` responses with a status. @throws when the watchdog ends it. */
  async untilCount(status: number, wanted: number): Promise<void> {
    const signal = AbortSignal.timeout(WATCHDOG_MS);
    while (this.count(status) < wanted) {
      await once(this.#onAnswer, 'answer', { signal }).catch((cause: unknown) => {
        const counts = JSON.stringify([...this.#counts]);
        throw new Error(`${wanted} answers ${status}: not within ${WATCHDOG_MS / 1_000} s, only ${counts}`, {
          cause,
        });
      });
    }
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
    const { kinds = MIXED, total = Infinity } = this.#options;
    while (!this.#stop.signal.aborted && this.made.length < total) {
      const kind = kinds[this.made.length % kinds.length] ?? 'error';
      const made = makeEnvelope(this.#target.dsn, kind, this.#options);
      const slot = this.made.push({ ...made, bytes: Buffer.alloc(0) }) - 1;
      await this.#untilSlot(slot);
      if (this.#stop.signal.aborted) return;
      const { url, acknowledge } = this.#target;
      const answer = await postUntilCommitted(url, made.bytes, this.#agent, () => (this.late += 1));
      if (answer.status === 200) acknowledge(made);
      this.answers.push(answer);
      this.#counts.set(answer.status, this.count(answer.status) + 1);
      this.#onAnswer.emit('answer');
      // A refused connection fails immediately; the pause prevents a tight loop while the process is down.
      if (answer.status === null) await delay(5);
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
