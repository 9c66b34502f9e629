import type { Erasure } from '../contract/erasure-api.ts';
import { eraseInAudit } from './access/audit-rows.ts';
import { countMatches, type StoredMatch } from './erasure/count-matches.ts';
import { erase } from './erasure/erase.ts';
import type { ErasedRows } from './erasure/erase-events.ts';
import { erasedAmong } from './erasure/erased-envelopes.ts';
import { type ErasureRule, newRule } from './erasure-rules/erasure-rule.ts';
import { addRule, deleteRules, rulesSince, unfinishedRules } from './erasure-rules/erasure-rules.ts';
import type { ProjectBytes } from '../sink/queued-envelope.ts';
import type { StoreContext } from './store-context.ts';

/**
 * Erasure by person, event or age. Those that delete rows, or learn that another replica did, clear the ingest cache.
 */
export const ERASURE_PROCEDURES = {
  /** Adds a rule, after which no replica stores matching data, then deletes the matching rows. */
  erase: async (
    context: StoreContext,
    erasure: Erasure,
    nowMs: number,
  ): Promise<ErasedRows & { readonly rule: ErasureRule }> => {
    const rule = await addRule(context.db, context.flavor, newRule(erasure, nowMs));
    if ('user' in erasure) await eraseInAudit(context.db, erasure.user);
    const erased = await erase(context, rule);
    context.cache.clear();
    return { rule, ...erased };
  },

  /** Returns what an erasure would delete now, by project, and the rule for other places; neither stores nor deletes anything. */
  erasureMatches: async (
    context: StoreContext,
    erasure: Erasure,
    nowMs: number,
  ): Promise<{ readonly rule: ErasureRule; readonly matches: readonly StoredMatch[] }> => {
    const rule = { id: 0, ...newRule(erasure, nowMs) };
    return { rule, matches: await countMatches(context, rule) };
  },

  /** Returns the rules that any replica added after one, oldest first. */
  erasuresSince: async ({ db, cache }: StoreContext, id: number): Promise<readonly ErasureRule[]> => {
    const rules = await rulesSince(db, id);
    // Another replica may have deleted rows that this one has written.
    if (rules.length > 0) cache.clear();
    return rules;
  },

  /** Returns the ids of the spooled envelopes that match a rule. */
  erasedAmong: (
    _: StoreContext,
    rules: readonly ErasureRule[],
    envelopes: readonly ProjectBytes[],
  ): Promise<readonly number[]> => Promise.resolve(erasedAmong(rules, envelopes)),

  /** Completes the erasures that began before a time and were interrupted, and returns how many. */
  resumeErasures: async (context: StoreContext, beforeMs: number): Promise<number> => {
    const rules = await unfinishedRules(context.db, beforeMs);
    for (const rule of rules) await erase(context, rule);
    if (rules.length > 0) context.cache.clear();
    return rules.length;
  },

  /** Deletes the rules added before a time: no envelope that old can arrive any more. */
  deleteErasures: ({ db }: StoreContext, beforeMs: number): Promise<void> => deleteRules(db, beforeMs),
};
