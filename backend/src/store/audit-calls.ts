import type { AuditList } from '../contract/access-api.ts';
import { dropAudit, listAudit, type NewAuditEntry, writeAudit } from './access/audit-rows.ts';
import type { StoreContext } from './store-context.ts';

/** Who looked up and changed what. */
export const AUDIT_CALLS = {
  writeAudit: ({ db }: StoreContext, ...entries: NewAuditEntry[]): Promise<void> => writeAudit(db, entries),

  /** Newest first. @param beforeId as `next` of an earlier page, or null for the first. */
  audit: ({ db }: StoreContext, beforeId: number | null, limit: number): Promise<AuditList> =>
    listAudit(db, beforeId, limit),

  /** What is older goes. */
  dropAudit: ({ db }: StoreContext, beforeMs: number): Promise<void> => dropAudit(db, beforeMs),
};
