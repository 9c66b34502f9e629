import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * The trigram index of issue texts, by FTS5 (https://sqlite.org/fts5.html#the_trigram_tokenizer).
 *
 * It contains neither the texts (`content`: issue_text has them) nor the positions of trigrams (`detail=none`), which makes
 * it four times smaller. A search therefore compares the texts of the rows that the index returns.
 */

/** Characters of a trigram: a shorter text has none. */
const TRIGRAM = 3;
/** Most trigrams of one search: more do not narrow it further, and a pasted text has hundreds. */
const MAX_TRIGRAMS = 32;

export async function createTrigramIndex(db: Kysely<unknown>): Promise<void> {
  await sql`
    create virtual table issue_text_index using fts5 (
      body, content='issue_text', content_rowid='issue_id', tokenize='trigram', detail=none, columnsize=0
    )
  `.execute(db);
  const add = sql.raw('insert into issue_text_index (rowid, body) values (new.issue_id, new.body)');
  const remove = sql.raw(
    `insert into issue_text_index (issue_text_index, rowid, body) values ('delete', old.issue_id, old.body)`,
  );
  await sql`create trigger issue_text_added after insert on issue_text begin ${add}; end`.execute(db);
  await sql`create trigger issue_text_removed after delete on issue_text begin ${remove}; end`.execute(db);
  await sql`
    create trigger issue_text_changed after update of body on issue_text begin ${remove}; ${add}; end
  `.execute(db);
}

/** Most pages that one step of {@link purgeDeletedTexts} merges: a few milliseconds. */
const MERGED_PAGES = 200;

/**
 * Merges the index until it contains no deleted or replaced text. Before the merge FTS5 only marks these texts as deleted
 * (https://sqlite.org/fts5.html#the_merge_command).
 */
export async function purgeDeletedTexts(db: Database): Promise<void> {
  // A negative number makes the first step merge all segments of the index; the work is done when a step changes no row.
  for (let pages = -MERGED_PAGES; ; pages = MERGED_PAGES) {
    const before = await changes(db);
    await sql`insert into issue_text_index (issue_text_index, rank) values ('merge', ${pages})`.execute(db);
    if ((await changes(db)) - before < 2) return;
    await setImmediate();
  }
}

async function changes(db: Database): Promise<number> {
  const { rows } = await sql<{ readonly changes: number }>`select total_changes() as changes`.execute(db);
  return rows[0]?.changes ?? 0;
}

/** Selects the rows of issue_text that may contain all these texts: all rows when every text is shorter than a trigram. */
export function rowsThatMayHold(texts: readonly string[]): RawBuilder<unknown> {
  const each = Math.ceil(MAX_TRIGRAMS / Math.max(1, texts.length));
  const trigrams = texts.flatMap((text) => trigramsOf(text).slice(0, each));
  if (trigrams.length === 0) return sql`issue_text`;
  const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
  // SQLite never reorders a `cross join`: the index comes first.
  return sql`
    (select rowid as id from issue_text_index where issue_text_index match ${match}) as found
    cross join issue_text on issue_text.issue_id = found.id
  `;
}

/** Returns the distinct trigrams of a text, by code points as the tokenizer counts them. */
function trigramsOf(text: string): readonly string[] {
  const symbols = [...text];
  const trigrams = symbols.slice(TRIGRAM - 1).map((_, at) => symbols.slice(at, at + TRIGRAM).join(''));
  return [...new Set(trigrams)];
}
