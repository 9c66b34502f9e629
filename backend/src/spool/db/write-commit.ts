import { unpackDeliveries } from '../protocol/packed-deliveries.ts';
import type { CommitWork } from '../protocol/spool-messages.ts';
import type { Settlements } from './settle.ts';
import type { Tables } from './tables.ts';

/**
 * Writes what a commit has beside its appends, into the transaction under way. What was cut out of an envelope is
 * counted before its delivery takes the row away.
 *
 * @returns what a bug of ours kept from being written: it must not keep everything else from the disk, in this commit
 * and in every one after.
 */
export function writeWork(
  tables: Tables,
  ends: Settlements,
  work: CommitWork,
  nowMs: number,
): readonly string[] {
  const { ledger, discards, deadLetters, rateLimits, projects } = tables;
  const steps = [
    ...work.settled.map((settled) => () => ends.settle(settled, nowMs)),
    ...work.refused.map(({ project, reason, category, quantity }) => () => {
      discards.add(projects.id(project), reason, [{ category, quantity }]);
    }),
    ...work.malformed.map((body) => () => deadLetters.addMalformed(body, nowMs)),
    ...work.limits.map((limits) => () => rateLimits.save(limits)),
  ];
  const faults = steps.map((step) => tables.attempt(step)).filter((fault) => fault !== undefined);
  ends.deliver(unpackDeliveries(work.delivered));
  ledger.count('accepted', '', work.unwanted);
  ledger.count('shed', 'no_upstream', work.unwanted);
  return faults;
}
