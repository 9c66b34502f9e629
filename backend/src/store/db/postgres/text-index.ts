import { type Kysely, sql } from 'kysely';

/**
 * Creates the trigram index of issue texts (https://www.postgresql.org/docs/current/pgtrgm.html), which `like` uses.
 *
 * Any owner of a database may create the extension. Where it is not installed, or the role lacks the right, `like` reads
 * the texts of all issues: some 50 ms for 20,000 issues.
 */
export async function createTrigramIndex(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$ begin
      create extension if not exists pg_trgm;
      create index issue_text_trigrams on issue_text using gin (body gin_trgm_ops);
    exception when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
      raise notice 'texts are searched without an index: %', sqlerrm;
    end $$
  `.execute(db);
}
