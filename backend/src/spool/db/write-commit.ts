import { unpackDeliveries } from '../protocol/packed-deliveries.ts';
import type { CommitWork, ProjectDiscard } from '../protocol/spool-messages.ts';
import type { Settlements } from './settle.ts';
import type { Tables } from './tables.ts';

/**
 * Writes everything but the appends of a commit, in the current transaction.
 *
 * @returns messages of steps that failed because of a bug in Errata: one such step must not block this commit and all
 * later ones.
 */
export function writeWork(
  tables: Tables,
  settlements: Settlements,
  work: CommitWork,
  nowMs: number,
): readonly string[] {
  const { ledger, discards, deadLetters, rateLimits, projects } = tables;
  const steps = [
    ...work.settled.map((settled) => () => settlements.settle(settled, nowMs)),
    ...work.discarded.map((discarded) => () => {
      const { project, reason, category, quantity } = discarded;
      if (isToCount(tables, discarded)) discards.add(projects.id(project), reason, [{ category, quantity }]);
    }),
    ...work.malformed.map((body) => () => deadLetters.addMalformed(body, nowMs)),
    ...work.rateLimits.map((limits) => () => rateLimits.save(limits)),
  ];
  const faults = steps.map((step) => tables.attempt(step)).filter((fault) => fault !== undefined);
  settlements.deliver(unpackDeliveries(work.delivered));
  ledger.count('accepted', '', work.unwanted);
  ledger.count('dropped', 'no_upstream', work.unwanted);
  return faults;
}

/** Whether discarded items are not counted yet: their envelope still waits for one of the sinks that it settles for. */
function isToCount({ envelopes }: Tables, { cutFrom }: ProjectDiscard): boolean {
  if (cutFrom === null) return true;
  const pending = envelopes.entry(cutFrom.id)?.pending ?? 0;
  return (pending & cutFrom.bits) !== 0;
}
