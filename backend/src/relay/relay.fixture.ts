import { DIRECT } from '../net/proxy.fixture.ts';
import type { NewEnvelope, QueuedEnvelope } from '../sink/queued-envelope.ts';
import { NO_SENDER, traitsOf, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { newEnvelope } from '../spool/spool.fixture.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { type Settlement, Sink } from '../sink/sink.ts';

/** Limits of an upstream, of which only the watchdog of a test ends a request, and no proxy. */
export const WITHOUT_LIMITS = {
  connectTimeoutMs: 120_000,
  headersTimeoutMs: 120_000,
  timeoutMs: 120_000,
  proxy: DIRECT,
};
export const DELIVERED: Settlement = { outcome: 'delivered', digest: null };
export const LATER = {
  outcome: 'retry',
  reason: 'down',
  retryAfterMs: null,
  scope: 'sink',
} satisfies Settlement;
export const REFUSED: Settlement = {
  outcome: 'refused',
  reason: 'status_413',
  status: 413,
  detail: 'too large',
};

/** Settles envelopes by its script, then delivers all; promises resolve after a number of envelopes. */
export class ScriptedSink extends Sink {
  readonly maxBatch: number;
  readonly seen: string[] = [];
  /** Number of envelopes of each batch. */
  readonly batches: number[] = [];
  #script: Settlement[];
  /** Settlement of each envelope after the end of the script. */
  answer: (text: string, envelope: QueuedEnvelope) => Settlement = () => DELIVERED;
  #waiting: (() => void)[] = [];

  constructor(script: Settlement[] = [], maxBatch = 1) {
    super();
    this.#script = script;
    this.maxBatch = maxBatch;
  }

  override deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    this.batches.push(batch.length);
    const settlements = batch.map((one) => {
      const text = Buffer.from(one.items).toString();
      const settlement = this.#script.shift() ?? this.answer(text, one);
      this.seen.push(`${text} ${settlement.outcome}`);
      return settlement;
    });
    for (const wake of this.#waiting.splice(0)) wake();
    return Promise.resolve(settlements);
  }

  /** Resolves after `count` deliveries. */
  offered(count: number): Promise<void> {
    return this.until((seen) => seen.length >= count);
  }

  /** Resolves when the deliveries so far meet a condition. */
  async until(condition: (seen: readonly string[]) => boolean): Promise<void> {
    while (!condition(this.seen)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

export function envelope(text: string, changes: Partial<NewEnvelope> = {}): NewEnvelope {
  return newEnvelope(text, { pending: UPSTREAM_BIT, ...changes });
}

/** Returns an envelope with one item of this type, from a page of this origin. */
export function itemEnvelope(type: string, text: string, origin: string | null = null): NewEnvelope {
  const items = `{"type":"${type}"}\n{"text":"${text}"}`;
  return envelope(items, {
    ...traitsOf([{ type }], true),
    pending: UPSTREAM_BIT,
    sender: { ...NO_SENDER, origin },
  });
}

export function dispatcherOptions(sink: Sink, changes: Partial<DispatcherOptions> = {}): DispatcherOptions {
  return {
    name: 'test',
    place: null,
    key: null,
    sink,
    bit: UPSTREAM_BIT,
    project: null,
    concurrency: 1,
    backoff: { minMs: 1, maxMs: 2 },
    pauseProbeMs: 5,
    isAdaptive: false,
    batchIntervalMs: 0,
    maxRate: Infinity,
    outageAfterMs: 0,
    ...changes,
  };
}
