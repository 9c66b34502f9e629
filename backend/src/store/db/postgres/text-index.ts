import { type Kysely, sql } from 'kysely';

/**
 * Texts by their trigrams (https://www.postgresql.org/docs/current/pgtrgm.html), which `like` finds by itself.
 *
 * Any owner of a database may make the extension; where it is not installed, or somebody took that right away, `like`
 * reads the texts of all issues: some 50 ms for 20,000.
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
