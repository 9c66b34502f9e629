import type { Erasure } from '../contract/erasure-api.ts';
import { forgetInAudit } from './access/audit-rows.ts';
import { erase } from './erasure/erase.ts';
import type { ErasedRows } from './erasure/erase-events.ts';
import { erasedAmong, type WaitingEnvelope } from './erasure/erased-envelopes.ts';
import { type ErasureRule, newRule } from './erasure-rules/erasure-rule.ts';
import {
  addErasure,
  dropErasures,
  erasuresSince,
  unfinishedErasures,
} from './erasure-rules/erasure-rules.ts';
import type { StoreContext } from './store-context.ts';

/** Forgetting what somebody asked to be forgotten. */
export const ERASURE_CALLS = {
  /** From now on nothing of it is taken in any more, on any replica; then what is here goes. */
  erase: async (
    context: StoreContext,
    erasure: Erasure,
    nowMs: number,
  ): Promise<ErasedRows & { readonly rule: ErasureRule }> => {
    const rule = await addErasure(context.db, context.flavor, newRule(erasure, nowMs));
    if ('user' in erasure) await forgetInAudit(context.db, erasure.user);
    const erased = await erase(context, rule);
    context.memory.forget();
    return { rule, ...erased };
  },

  /** Rules added after one, by whichever replica, oldest first. */
  erasuresSince: async ({ db, memory }: StoreContext, id: number): Promise<readonly ErasureRule[]> => {
    const rules = await erasuresSince(db, id);
    // Rows that this process has written may have been deleted by another one.
    if (rules.length > 0) memory.forget();
    return rules;
  },

  /** Ids of the envelopes of a spool that rules have forgotten. */
  erasedAmong: (
    _: StoreContext,
    rules: readonly ErasureRule[],
    envelopes: readonly WaitingEnvelope[],
  ): Promise<readonly number[]> => Promise.resolve(erasedAmong(rules, envelopes)),

  /** Completes what was begun before a time and cut off. @returns how many rules that were. */
  resumeErasures: async (context: StoreContext, beforeMs: number): Promise<number> => {
    const rules = await unfinishedErasures(context.db, beforeMs);
    for (const rule of rules) await erase(context, rule);
    if (rules.length > 0) context.memory.forget();
    return rules.length;
  },

  /** Drops rules of before a time: nothing can come under them any more. */
  dropErasures: ({ db }: StoreContext, beforeMs: number): Promise<void> => dropErasures(db, beforeMs),
};
