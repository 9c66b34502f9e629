import type { DeliveryVerdict } from '../../contract/delivery-api.ts';
import type { HealthProblem } from '../../contract/webhook-api.ts';
import type { SpoolCounts } from '../../spool/protocol/spool-messages.ts';
import { HOUR_MS } from '../../time/iso.ts';

/** Share of the queue from which on an operator should know: at its end it rejects errors. */
const FILL = 0.7;

const NOTHING = { place: null, key: null, reason: null, count: null } as const;

/**
 * Returns the problems of a process: the causes of its verdict, but for rate limits, which end by themselves, and those that
 * the verdict leaves out because no operator can undo them.
 */
export function problemsOf(
  { causes }: DeliveryVerdict,
  { fill, deadLetters }: Pick<SpoolCounts, 'fill' | 'deadLetters'>,
  hasDroppedErrors: boolean,
): readonly HealthProblem[] {
  const problems: HealthProblem[] = causes.flatMap(({ kind, place, key, reason, envelopes }) =>
    kind === 'limited' ? [] : [{ kind, place, key, reason, count: envelopes }],
  );
  if (fill >= FILL) problems.push({ ...NOTHING, kind: 'queue_fill', count: Math.floor(fill * 100) });
  if (deadLetters > 0) problems.push({ ...NOTHING, kind: 'dead_letters', count: deadLetters });
  if (hasDroppedErrors) problems.push({ ...NOTHING, kind: 'errors_dropped' });
  return problems;
}

/** Tells whether errors were dropped within the last hour, from totals that only grow. */
export class DroppedErrors {
  #total: number | undefined;
  #grewAtMs = -Infinity;

  /** Reads the totals. An error that an upstream refused is a dead letter. @param nowMs monotonic clock. */
  isRecent(discards: SpoolCounts['discards'], nowMs: number): boolean {
    const total = discards
      .filter(({ category, reason }) => category === 'error' && reason !== 'send_error')
      .reduce((sum, { quantity }) => sum + quantity, 0);
    if (total > (this.#total ?? total)) this.#grewAtMs = nowMs;
    this.#total = total;
    return nowMs - this.#grewAtMs < HOUR_MS;
  }
}
