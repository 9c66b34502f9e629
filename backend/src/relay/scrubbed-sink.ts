import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { ScrubThread } from './scrub-thread.ts';
import { type Settlement, Sink } from '../sink/sink.ts';

/** Blamed on the envelope: one that ends the thread time after time becomes a dead letter and does not hold up others. */
const THREAD_ENDED: Settlement = {
  outcome: 'retry',
  reason: 'scrub_ended',
  retryAfterMs: null,
  blame: 'envelope',
};

/**
 * A sink that is given scrubbed copies only (`ERRATA_SCRUB=all`). What cannot be read, and so not scrubbed, it is not
 * given: that becomes a dead letter.
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
    // Of the page it came from its path is left: secrets stand in queries.
    const referer = sender.referer?.replace(/[?#].*$/s, '') ?? null;
    const copy = { ...envelope, sender: { ...sender, referer }, items: scrubbed.items, gzipped: null };
    const [settlement] = await this.#sink.deliver([copy]);
    return settlement ?? THREAD_ENDED;
  }
}
