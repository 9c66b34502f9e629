import type { StoreContext } from './store-context.ts';
import { type Claim, claimCalls, settleCall } from './outbox/lease.ts';

/** Telling somebody of issues. */
export const WEBHOOK_CALLS = {
  /** The calls to be made now; each is given to one process only. */
  claimWebhookCalls: ({ db, flavor, read, now }: StoreContext): Promise<Claim> =>
    claimCalls(db, flavor, read.webhook?.publicUrl ?? null, now()),

  /** @param againMs when it is to be made again; null where it was taken. */
  settleWebhookCall: ({ db }: StoreContext, id: number, againMs: number | null): Promise<void> =>
    settleCall(db, id, againMs),
};
