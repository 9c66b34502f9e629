import { ANSWER_CALLS, PURE_CALLS } from './answer-calls.ts';
import { AUDIT_CALLS } from './audit-calls.ts';
import { ERASURE_CALLS } from './erasure-procedures.ts';
import { ISSUE_CALLS } from './issue-procedures.ts';
import { LOOK_UP_CALLS } from './look-up-calls.ts';
import { SESSION_CALLS } from './session-calls.ts';
import { SOURCE_MAP_CALLS } from './source-map-calls.ts';
import { UPKEEP_CALLS } from './upkeep-calls.ts';
import { WEBHOOK_CALLS } from './webhook-calls.ts';
import type { StoreContext } from './store-context.ts';

/** Everything the store can be asked, by name; arguments and results pass between threads. */
export const STORE_CALLS = {
  ...LOOK_UP_CALLS,
  ...ISSUE_CALLS,
  ...ANSWER_CALLS,
  ...PURE_CALLS,
  ...SESSION_CALLS,
  ...AUDIT_CALLS,
  ...SOURCE_MAP_CALLS,
  ...ERASURE_CALLS,
  ...UPKEEP_CALLS,
  ...WEBHOOK_CALLS,
};

type Calls = typeof STORE_CALLS;
export type StoreCall = keyof Calls;

export type CallArguments<C extends StoreCall> = Calls[C] extends (
  context: StoreContext,
  ...args: infer Arguments
) => unknown
  ? Arguments
  : never;

export type CallResult<C extends StoreCall> = Awaited<ReturnType<Calls[C]>>;
