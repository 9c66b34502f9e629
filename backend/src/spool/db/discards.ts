import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import type { Quantity } from '../../envelope/quantities.ts';
import type { Discard, DiscardReason } from '../../outcome/outcome.ts';
import { CRITICAL, type DataCategory } from '../../envelope/envelope-class.ts';
import { NO_SENDER, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';

/** Sentry's limit of outcomes in one client report; so many stay below its limit of 4 KiB. */
const MAX_OUTCOMES = 40;

/** Contents of one client report. */
interface PendingClientReport {
  readonly project: number;
  readonly discards: readonly (Quantity & { readonly reason: DiscardReason })[];
}

interface DiscardRow {
  readonly project: number;
  readonly reason: DiscardReason;
  readonly category: DataCategory;
  readonly unreported: number;
}

/**
 * Counts discarded items by project, reason and category, in the transaction that discards them. Client reports pass
 * each count to the upstream once.
 */
export class Discards {
  readonly #add: Statement;
  readonly #unreported: Statement<DiscardRow>;
  readonly #markReported: Statement;
  readonly #sums: Statement<Discard>;

  constructor(database: TypedDatabase) {
    this.#add = database.prepare(
      `INSERT INTO discard (project, reason, category, quantity, unreported) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity, unreported = unreported + excluded.unreported`,
    );
    this.#unreported = database.prepare(
      'SELECT project, reason, category, unreported FROM discard WHERE unreported > 0 ORDER BY project, reason, category',
    );
    this.#markReported = database.prepare(
      'UPDATE discard SET unreported = 0 WHERE project = ? AND reason = ? AND category = ?',
    );
    this.#sums = database.prepare(
      'SELECT reason, category, sum(quantity) AS quantity FROM discard GROUP BY reason, category',
    );
  }

  /** Counts discarded items; the next client report contains them. */
  add(project: number, reason: DiscardReason, quantities: readonly Quantity[]): void {
    for (const { category, quantity } of quantities) {
      this.#add.run(project, reason, category, quantity, quantity);
    }
  }

  /**
   * Returns the unreported counts, one report for each element, and marks them as reported.
   *
   * @param projects numbers of the projects whose upstreams accept reports now.
   */
  take(projects: ReadonlySet<number>): readonly PendingClientReport[] {
    const rows = this.#unreported.all().filter(({ project }) => projects.has(project));
    const reports: PendingClientReport[] = [];
    for (const group of Map.groupBy(rows, ({ project }) => project).values()) {
      for (let at = 0; at < group.length; at += MAX_OUTCOMES) {
        const part = group.slice(at, at + MAX_OUTCOMES);
        const discards = part.map(({ reason, category, unreported: quantity }) => ({
          reason,
          category,
          quantity,
        }));
        reports.push({ project: group[0]?.project ?? 0, discards });
      }
    }
    for (const { project, reason, category } of rows) this.#markReported.run(project, reason, category);
    return reports;
  }

  /** Sums of discarded items since the file was created, by reason and category. */
  sums(): readonly Discard[] {
    return this.#sums.all();
  }
}

/**
 * Builds the envelope that reports a project's discarded items to its upstream. It has the class and the lifetime of an
 * error: its counts are marked as reported and exist nowhere else, so that nothing may evict it.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export function reportRow(
  project: string,
  discards: PendingClientReport['discards'],
  nowMs: number,
): EnvelopeRow {
  const report = { timestamp: nowMs / 1_000, discarded_events: discards };
  const lines = [JSON.stringify({ type: 'client_report' }), JSON.stringify(report)];
  return {
    id: 0,
    class: CRITICAL,
    lifetime: 'error',
    pending: UPSTREAM_BIT,
    project,
    source: 'own',
    receivedAtMs: nowMs,
    monotonicAtMs: null,
    eventId: null,
    hasMadeId: false,
    sender: JSON.stringify(NO_SENDER),
    header: Buffer.from('{}'),
    stored: Buffer.from(lines.join('\n')),
    isGzip: false,
    itemsHash: null,
  };
}
