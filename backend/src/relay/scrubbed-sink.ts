import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { ScrubThread } from './scrub-thread.ts';
import { type Settlement, Sink } from '../sink/sink.ts';

/** Counts against the envelope: one that ends the thread repeatedly becomes a dead letter and does not delay others. */
const THREAD_ENDED: Settlement = {
  outcome: 'retry',
  reason: 'scrub_ended',
  retryAfterMs: null,
  scope: 'envelope',
};

/**
 * Passes scrubbed copies to another sink (`ERRATA_SCRUB=all`). An envelope that cannot be parsed, and therefore not
 * scrubbed, becomes a dead letter and is not sent.
 */
export class ScrubbedSink extends Sink {
  override readonly maxBatch: number;
  readonly #sink: Sink;
  readonly #thread: Pick<ScrubThread, 'scrub'>;

  constructor(sink: Sink, thread: Pick<ScrubThread, 'scrub'>) {
    super();
    this.maxBatch = sink.maxBatch;
    this.#sink = sink;
    this.#thread = thread;
  }

  override deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    return Promise.all(batch.map((envelope) => this.#deliverOne(envelope)));
  }

  async #deliverOne(envelope: QueuedEnvelope): Promise<Settlement> {
    const scrubbed = await this.#thread.scrub(envelope.items);
    if (scrubbed.outcome === 'unavailable') return THREAD_ENDED;
    if (scrubbed.outcome === 'unscrubbable') {
      return { outcome: 'refused', reason: 'unscrubbable', status: null, detail: scrubbed.detail };
    }
    const { sender } = envelope;
    // Query strings and fragments carry secrets, such as the token of a password reset.
    const referer = sender.referer?.replace(/[?#].*$/s, '') ?? null;
    const copy = { ...envelope, sender: { ...sender, referer }, items: scrubbed.items, gzipped: null };
    const [settlement] = await this.#sink.deliver([copy]);
    return settlement ?? THREAD_ENDED;
  }
}
