import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import { quantitiesOf } from '../../envelope/quantities.ts';
import { type DiscardReason, type Fate, isDiscardReason, type LossReason } from '../../outcome/outcome.ts';
import type { DeliveredEnvelope } from '../protocol/packed-deliveries.ts';
import {
  EXPIRE_BATCH,
  FATES,
  type Loss,
  type SettledEnvelope,
  worseFate,
} from '../protocol/spool-messages.ts';
import { type Lifetime, LIFETIMES, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { type EnvelopeTable, ifReadable, isIntact, itemsOf, type StoredEnvelope } from './envelope-table.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Ledger } from './ledger.ts';
import type { LostEvents } from './lost-events.ts';
import type { Discards } from './discards.ts';

/** The tables that an outcome changes. */
interface OutcomeTables {
  readonly envelopes: EnvelopeTable;
  readonly ledger: Ledger;
  readonly discards: Discards;
  readonly deadLetters: DeadLetters;
  readonly lostEvents: LostEvents;
}

/** No client report has it: its upstream gets none. */
const DISCARDED = { reason: 'upstream_not_in_settings', isReported: false, refusal: null } as const;

/**
 * Settles envelopes: delivered, refused, dropped or expired. Each gets exactly one outcome, counted in the ledger in the
 * same transaction; items that its upstream misses go into a client report.
 */
export class Settlements {
  readonly #tables: OutcomeTables;
  readonly #expired: Statement<{ readonly id: number }>;
  readonly #waiting: Statement<{ readonly id: number }>;
  readonly #now: () => number;

  constructor(database: TypedDatabase, tables: OutcomeTables, now: () => number = Date.now) {
    this.#tables = tables;
    this.#now = now;
    this.#expired = database.prepare(
      `SELECT id FROM envelope
       WHERE lifetime = ? AND CASE WHEN monotonic_at_ms IS NULL THEN queued_at_ms < ? ELSE monotonic_at_ms < ? END LIMIT ?`,
    );
    this.#waiting = database.prepare(
      `SELECT id FROM envelope WHERE id > ? AND project = ? AND pending & ${UPSTREAM_BIT} ORDER BY id LIMIT ?`,
    );
  }

  /** Settles envelopes that sinks accepted, with one statement where others have yet to settle. */
  settleDelivered(deliveries: readonly DeliveredEnvelope[]): void {
    const { envelopes } = this.#tables;
    let ended = 0;
    for (const { id, bits, digest } of deliveries) {
      if (envelopes.removeIfDelivered(id, bits)) ended += 1;
      else if (!envelopes.settleIfPending(id, bits, digest)) this.#note(id, bits, 'delivered', null);
    }
    this.#tables.ledger.count('delivered', '', ended);
  }

  /** Settles an envelope that a sink refused or dropped. */
  settle({ id, bits, fate, loss }: SettledEnvelope, nowMs: number): void {
    // Settled already, in a commit whose confirmation was lost.
    if (((this.#tables.envelopes.state(id)?.pending ?? 0) & bits) === 0) return;
    this.#lose(id, bits, fate, loss, nowMs);
    this.#note(id, bits, fate, loss);
  }

  /** Evicts an envelope: more important ones need its room. */
  evict(id: number): void {
    this.#end(id, 'dropped', 'queue_overflow');
  }

  /**
   * Removes envelopes that are too old, by the monotonic clock if they arrived in this boot of the machine.
   *
   * @returns their number; {@link EXPIRE_BATCH} or more if others may be left.
   */
  expire(
    maxAgeMs: Readonly<Record<Lifetime, number>>,
    now: { readonly wallMs: number; readonly monotonicMs: number },
  ): number {
    let expired = 0;
    for (const [envelopeClass, lifetime] of LIFETIMES.entries()) {
      const maxMs = maxAgeMs[lifetime];
      const [wallMs, monotonicMs] = [now.wallMs - maxMs, now.monotonicMs - maxMs];
      const rows = this.#expired.all(envelopeClass, wallMs, monotonicMs, EXPIRE_BATCH);
      for (const { id } of rows) this.#end(id, 'expired', 'cache_overflow');
      expired += rows.length;
    }
    return expired;
  }

  /**
   * Discards envelopes above an id that wait for the upstream of a project; {@link EXPIRE_BATCH} at most. The store still gets
   * its part. Returns their ids.
   */
  discardWaiting(project: number, afterId: number, nowMs: number): readonly number[] {
    const ids = this.#waiting.all(afterId, project, EXPIRE_BATCH).map(({ id }) => id);
    for (const id of ids) this.settle({ id, bits: UPSTREAM_BIT, fate: 'dropped', loss: DISCARDED }, nowMs);
    return ids;
  }

  /** Makes a dead letter of a corrupt row where its values allow it, and removes the row. */
  addCorrupt(id: number, nowMs: number): void {
    const envelope = this.#tables.envelopes.stored(id);
    if (envelope !== undefined) {
      const refusal = { status: null, detail: 'corrupted on disk' };
      ifReadable(() => this.#tables.deadLetters.add(envelope, 'unreadable', refusal, nowMs));
      ifReadable(() => this.#remember(envelope, 'dead_lettered', 'unreadable', nowMs));
    }
    if (this.#tables.envelopes.remove(id)) this.#tables.ledger.count('dead_lettered', 'unreadable', 1);
  }

  #lose(id: number, bits: number, fate: Fate, { reason, isReported, refusal }: Loss, nowMs: number): void {
    const stored = this.#tables.envelopes.stored(id);
    if (stored === undefined) return;
    const envelope = { ...stored, pending: bits };
    this.#remember(envelope, fate, reason, nowMs, refusal?.status);
    if (refusal !== null) this.#tables.deadLetters.add(envelope, reason, refusal, nowMs);
    if (isReported) this.#discard(envelope, reason);
  }

  #end(id: number, fate: Fate, reason: DiscardReason): void {
    const envelope = this.#tables.envelopes.stored(id);
    if (envelope !== undefined) {
      // Not if only the store misses it: the upstream has its copy, and its client report must not contain these items.
      if ((envelope.pending & UPSTREAM_BIT) !== 0) this.#discard(envelope, reason);
      this.#remember(envelope, fate, reason, this.#now());
    }
    if (this.#tables.envelopes.remove(id)) this.#tables.ledger.count(fate, reason, 1);
  }

  /**
   * Records the loss of an error by its id, for searches; other classes are too many. `pending`: sinks that miss it.
   */
  #remember(
    { class: envelopeClass, project, pending: bits, eventId }: StoredEnvelope,
    fate: Fate,
    reason: LossReason,
    atMs: number,
    status: number | null = null,
  ): void {
    if (envelopeClass !== 0 || eventId === null || fate === 'delivered' || fate === 'erased') return;
    const lostBy = reason === DISCARDED.reason ? 'discarded' : fate;
    this.#tables.lostEvents.add({ eventId, project, bits, fate: lostBy, reason, status, atMs });
  }

  #discard(envelope: StoredEnvelope, reason: LossReason): void {
    if (isDiscardReason(reason) && isIntact(envelope))
      this.#tables.discards.add(envelope.project, reason, quantitiesOf(itemsOf(envelope)));
  }

  /** Removes bits from an envelope, and the envelope when none is left. */
  #note(id: number, bits: number, fate: Fate, loss: Loss | null): void {
    const state = this.#tables.envelopes.state(id);
    if (state === undefined) return;
    const before = FATES[state.fate] ?? 'delivered';
    const end = worseFate(before, fate);
    const reason = (end === before ? state.reason : (loss?.reason ?? '')) as LossReason | '';
    const pending = state.pending & ~bits;
    if (pending === 0) {
      this.#tables.envelopes.remove(id);
      this.#tables.ledger.count(end, reason, 1);
      return;
    }
    this.#tables.envelopes.update(id, { pending, fate: FATES.indexOf(end), reason });
  }
}
