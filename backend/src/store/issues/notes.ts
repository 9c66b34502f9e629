import type { Note } from '../../contract/issues-api.ts';
import { isoTime } from '../../time/iso.ts';
import type { Database } from '../db/schema.ts';

/** Newest notes that an answer contains. */
const MAX_NOTES = 200;

/** Adds an operator's note to an issue. */
export async function addNote(
  db: Database,
  issueId: number,
  { author, text }: Pick<Note, 'author' | 'text'>,
  nowMs: number,
): Promise<Note> {
  const { id } = await db
    .insertInto('note')
    .values({ issue_id: issueId, at_ms: nowMs, author, body: text })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, time: isoTime(nowMs), author, text };
}

/** Returns the newest notes of an issue, oldest first. */
export async function notesOf(db: Database, issueId: number): Promise<readonly Note[]> {
  const rows = await db
    .selectFrom('note')
    .select(['id', 'at_ms', 'author', 'body'])
    .where('issue_id', '=', issueId)
    .orderBy('id', 'desc')
    .limit(MAX_NOTES)
    .execute();
  return rows
    .toReversed()
    .map(({ id, at_ms: atMs, author, body }) => ({ id, time: isoTime(atMs), author, text: body }));
}
