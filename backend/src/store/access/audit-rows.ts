import { setImmediate } from 'node:timers/promises';
import type { AuditEntry, AuditList, Role } from '../../contract/access-api.ts';
import { scrubText } from '../../scrub/scrub-text.ts';
import { sameName } from '../erasure-rules/erasure-rule.ts';
import { textOf } from '../event/fields.ts';
import type { Database } from '../db/schema.ts';

/** One thing somebody did, on its way into the log. */
export interface NewAuditEntry {
  readonly atMs: number;
  readonly who: string;
  readonly role: Role;
  readonly action: string;
  readonly target: string | null;
  readonly detail: string | null;
}

/** Texts are cut there. A pasted error text may be a page long; its beginning says what was looked for. */
const MAX_TEXT_LENGTH = 500;

/**
 * What people paste is scrubbed: it holds what the event of it held. Lists of numbers are not: some of them would pass
 * for that of a card.
 */
export async function writeAudit(db: Database, entries: readonly NewAuditEntry[]): Promise<void> {
  const rows = entries.map(({ atMs, who, role, action, target, detail }) => ({
    at_ms: atMs,
    who: textOf(who, MAX_TEXT_LENGTH) ?? '',
    role,
    action,
    target: action === 'find' ? scrubbed(target) : textOf(target, MAX_TEXT_LENGTH),
    detail: textOf(detail, MAX_TEXT_LENGTH),
  }));
  await db.insertInto('audit').values(rows).execute();
}

/** Newest first: in the order in which they were written, which is that of the ids. */
export async function listAudit(db: Database, beforeId: number | null, limit: number): Promise<AuditList> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .$if(beforeId !== null, (query) => query.where('id', '<', beforeId ?? 0))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const entries = rows
    .slice(0, limit)
    .map(({ at_ms: atMs, ...row }): AuditEntry => ({ ...row, time: new Date(atMs).toISOString() }));
  return { entries, next: rows.length > limit ? String(entries.at(-1)?.id) : null };
}

/** Deletes what is older. */
export async function dropAudit(db: Database, beforeMs: number): Promise<void> {
  await db.deleteFrom('audit').where('at_ms', '<', beforeMs).execute();
}

function scrubbed(text: string | null): string | null {
  const cut = textOf(text, MAX_TEXT_LENGTH);
  return cut === null ? null : scrubText(cut);
}

/** What stands in for a look-up's text that names who is to be forgotten. */
const FORGOTTEN = '[erased]';

/** Rows of one step. */
const STEP_ROWS = 500;

/** That somebody looked is kept, and by what name is not. Compared here: SQLite knows no capitals but those of ASCII. */
export async function forgetInAudit(db: Database, name: string): Promise<void> {
  const wanted = sameName(name);
  for (let after: number | null = 0; after !== null;) {
    after = await forgetStep(db, wanted, after);
    await setImmediate();
  }
}

async function forgetStep(db: Database, wanted: string, after: number): Promise<number | null> {
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
    await db.updateTable('audit').set({ target: FORGOTTEN }).where('id', 'in', ids).execute();
  }
  return rows.length < STEP_ROWS ? null : (rows.at(-1)?.id ?? null);
}
