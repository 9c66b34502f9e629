import { setImmediate } from 'node:timers/promises';
import type { AuditEntry, AuditList } from '../../contract/access-api.ts';
import { scrubText } from '../../scrub/scrub-text.ts';
import { isoTime } from '../../time/iso.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { sameName } from '../erasure-rules/erasure-rule.ts';
import { columnText } from '../event/column-text.ts';

/**
 * store/access/ keeps the audit log and the sessions. It must never store a session token or a pasted text that is not
 * scrubbed.
 */

/** An action of a principal, before it is written. */
export interface NewAuditEntry {
  readonly atMs: number;
  readonly who: string;
  readonly role: AuditEntry['role'];
  readonly action: AuditEntry['action'];
  readonly target: string | null;
  readonly detail: string | null;
}

/** Characters stored of a text. A pasted error text may be a page long; its beginning names what was searched. */
const MAX_TEXT_LENGTH = 500;

/**
 * Writes entries, at least one. Search texts are scrubbed, because they are pasted and contain what the event contained.
 * Lists of numbers are not scrubbed: some would pass for card numbers.
 */
export async function writeAudit({ db }: QueryContext, ...entries: NewAuditEntry[]): Promise<void> {
  const rows = entries.map(({ atMs, who, role, action, target, detail }) => ({
    at_ms: atMs,
    who: columnText(who, MAX_TEXT_LENGTH) ?? '',
    role: role ?? ('none' as const),
    action,
    target: action === 'find' ? scrubbed(target) : columnText(target, MAX_TEXT_LENGTH),
    detail: columnText(detail, MAX_TEXT_LENGTH),
  }));
  await db.insertInto('audit').values(rows).execute();
}

/** Lists entries, newest first: ids grow in the order of writing. @param beforeId `next` of the page before, or null. */
export async function listAudit(
  { db }: QueryContext,
  beforeId: number | null,
  limit: number,
): Promise<AuditList> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .$if(beforeId !== null, (query) => query.where('id', '<', beforeId ?? 0))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(({ at_ms: atMs, role, ...row }): AuditEntry => ({
    ...row,
    role: role === 'none' ? null : role,
    time: isoTime(atMs),
  }));
  return { entries, next: rows.length > limit ? String(entries.at(-1)?.id) : null };
}

/** Deletes older entries. */
export async function deleteAudit({ db }: QueryContext, beforeMs: number): Promise<void> {
  await db.deleteFrom('audit').where('at_ms', '<', beforeMs).execute();
}

function scrubbed(text: string | null): string | null {
  const cut = columnText(text, MAX_TEXT_LENGTH);
  return cut === null ? null : scrubText(cut);
}

/** Replaces the text of a search for an erased person. */
const ERASED = '[erased]';

/** Rows of one step. */
const STEP_ROWS = 500;

/**
 * Erases a person's name from the searches in the log; the entries stay. Names are compared here and not in SQL, because
 * SQLite lowers only ASCII letters.
 */
export async function eraseInAudit(db: Database, name: string): Promise<void> {
  const wanted = sameName(name);
  for (let after: number | null = 0; after !== null;) {
    after = await eraseStep(db, wanted, after);
    await setImmediate();
  }
}

async function eraseStep(db: Database, wanted: string, after: number): Promise<number | null> {
  const rows = await db
    .selectFrom('audit')
    .select(['id', 'target'])
    .where('action', '=', 'find')
    .where('id', '>', after)
    .orderBy('id')
    .limit(STEP_ROWS)
    .execute();
  const ids = rows
    .filter(({ target }) => target !== null && sameName(target).includes(wanted))
    .map(({ id }) => id);
  if (ids.length > 0) {
    await db.updateTable('audit').set({ target: ERASED }).where('id', 'in', ids).execute();
  }
  return rows.length < STEP_ROWS ? null : (rows.at(-1)?.id ?? null);
}
