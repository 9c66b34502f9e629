import { sql } from 'kysely';
import type { QueryContext } from './query-context.ts';

/**
 * Bytes of an issue with its indexes, facts and the trigrams of its text: measured with the longest text, because forged
 * events may have it. With a short text it is 1,500.
 */
export const ISSUE_BYTES = 3_700;

/** Largest size of feedback: its longest message and names (event/feedback.ts), and its index entries. */
export const FEEDBACK_BYTES = 5_500;

/**
 * Shares of the store's limit for issues, feedback and facts; events get the rest. Old screenshots are found by issues
 * without events: these are deleted only for other issues.
 */
export const ISSUES_SHARE = 1 / 4;
export const FEEDBACK_SHARE = 1 / 8;
export const FACTS_SHARE = 1 / 4;

/**
 * Bytes of a fact beside its value, and for each byte of its value, with its index entry and the row of a release. Between
 * what SQLite needs (40 and 3.2, measured) and what PostgreSQL does (170 and 4.8).
 */
export const FACT_BYTES = 80;
export const FACT_VALUE_BYTES = 4;

/** The tables whose rows `ERRATA_STORE_MAX_BYTES` limits, as an array of PostgreSQL. */
const LIMITED_TABLES =
  '{event,event_ids,feedback,issue,issue_fact,issue_hour,issue_relation,issue_text,project_hour}';

/**
 * Returns the size of the stored data with its indexes, in a time that does not grow with it: the databases know their
 * sizes. SQLite counts the used pages of all tables. PostgreSQL also counts the space of deleted rows, so that above a
 * limit only the rows themselves say how much is stored.
 */
export async function occupiedBytes({ db, flavor }: Pick<QueryContext, 'db' | 'flavor'>): Promise<number> {
  const size =
    flavor === 'sqlite'
      ? sql<{ readonly bytes: number }>`
          select (page_count - freelist_count) * page_size as bytes
          from pragma_page_count, pragma_freelist_count, pragma_page_size
        `
      : sql<{ readonly bytes: number }>`
          select sum(pg_total_relation_size(name::regclass)) as bytes
          from unnest(${sql.lit(LIMITED_TABLES)}::text[]) as name
        `;
  const { rows } = await size.execute(db);
  return rows[0]?.bytes ?? 0;
}
