import { scanItems } from '../envelope/items.ts';
import type { Discard, LossReason } from '../outcome/outcome.ts';
import type { SettledEnvelope } from '../spool/protocol/spool-messages.ts';
import { type QueuedEnvelope, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import type { Refusal } from '../sink/sink.ts';
import type { DeliveryStats } from './delivery-stats.ts';
import type { DispatcherContext, DispatcherOptions } from './dispatcher-options.ts';

/** Writes the final outcomes of one sink to the spool, the statistics and the log. */
export class SettlementRecorder {
  readonly #options: DispatcherOptions;
  readonly #context: DispatcherContext;
  readonly #stats: DeliveryStats;
  /** Delivered envelopes without a settlement on disk: a crash now delivers them twice. */
  readonly #unsettled = new Set<number>();

  constructor(options: DispatcherOptions, context: DispatcherContext, stats: DeliveryStats) {
    this.#options = options;
    this.#context = context;
    this.#stats = stats;
  }

  /** Number of delivered envelopes without a settlement on disk. */
  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** Notes that the settlement of an envelope is on the disk. */
  settled(id: number): void {
    this.#unsettled.delete(id);
  }

  /** The sink accepted an envelope. @param discarded items that were removed before sending. */
  delivered(envelope: QueuedEnvelope, digest: string | null, discarded: readonly Discard[]): void {
    const { id, project } = envelope;
    this.#unsettled.add(id);
    const cut = discarded.map((items) => ({ project, ...items }));
    this.#context.spool.settleDelivered({ id, bits: this.#options.bit, digest }, cut);
    this.#stats.delivered(envelope);
  }

  /**
   * The sink will never accept an envelope: it becomes a dead letter, or is dropped if it only reports other losses.
   *
   * @param refusal null if it is only counted: another one of its type is stored.
   */
  refused(envelope: QueuedEnvelope, reason: string, refusal: Refusal | null): void {
    const { id } = envelope;
    // The upstream does not lose an envelope that only the store refuses.
    const isUpstream = this.#options.bit === UPSTREAM_BIT;
    if (isOwnReport(envelope)) this.#lose(id, 'dropped', 'send_error', false, null);
    else this.#lose(id, 'dead_lettered', isUpstream ? 'send_error' : 'unstorable', isUpstream, refusal);
    this.#stats.refused(id, reason);
    if (refusal !== null) this.#context.log.warn({ sink: this.#options.name, reason }, 'delivery_refused');
  }

  /** A rate limit discards an envelope. @param wasSent whether the upstream has counted it. */
  dropped({ id }: QueuedEnvelope, wasSent: boolean): void {
    this.#lose(id, 'dropped', 'ratelimit_backoff', !wasSent, null);
    this.#stats.dropped(id);
  }

  #lose(
    id: number,
    fate: SettledEnvelope['fate'],
    reason: LossReason,
    isReported: boolean,
    refusal: Refusal | null,
  ): void {
    const loss = { reason, isReported, refusal };
    this.#context.spool.settle({ id, bits: this.#options.bit, fate, loss });
  }
}

/** Whether an envelope is a client report of Errata: a dead letter of it would help nobody. */
function isOwnReport({ source, items }: QueuedEnvelope): boolean {
  if (source !== 'own') return false;
  const scan = scanItems(items, 0);
  return scan.outcome === 'ok' && scan.items.every(({ type }) => type === 'client_report');
}
