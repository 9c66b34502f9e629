import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * Texts by their trigrams, which FTS5 indexes (https://sqlite.org/fts5.html#the_trigram_tokenizer).
 *
 * It keeps neither the texts (`content`: they stand in issue_text) nor where in one a trigram is (`detail=none`), which
 * makes it a quarter of its size: whoever looks something up compares the texts that come out of it.
 */

/** Shorter texts have no trigram. */
const TRIGRAM = 3;
/** As many different ones narrow a search as far as it goes; a pasted text has hundreds. */
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

/** Pages that one step of {@link purgeDeletedTexts} merges at most: a few milliseconds. */
const MERGED_PAGES = 200;

/**
 * Merges the index until nothing is left of texts that were deleted or changed: until then FTS5 only notes that they
 * are gone (https://sqlite.org/fts5.html#the_merge_command).
 */
export async function purgeDeletedTexts(db: Database): Promise<void> {
  // The first step takes all parts of the index for one job; that it is done shows when a step changes nothing more.
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

/** The rows of issue_text that may hold all of these texts: all rows, where no text is long enough to be looked up. */
export function rowsThatMayHold(texts: readonly string[]): RawBuilder<unknown> {
  const each = Math.ceil(MAX_TRIGRAMS / Math.max(1, texts.length));
  const trigrams = texts.flatMap((text) => trigramsOf(text).slice(0, each));
  if (trigrams.length === 0) return sql`issue_text`;
  const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
  // `cross join` is SQLite's word for this order and no other.
  return sql`
    (select rowid as id from issue_text_index where issue_text_index match ${match}) as found
    cross join issue_text on issue_text.issue_id = found.id
  `;
}

/** By code points, as the tokenizer counts. */
function trigramsOf(text: string): readonly string[] {
  const symbols = [...text];
  const trigrams = symbols.slice(TRIGRAM - 1).map((_, at) => symbols.slice(at, at + TRIGRAM).join(''));
  return [...new Set(trigrams)];
}
