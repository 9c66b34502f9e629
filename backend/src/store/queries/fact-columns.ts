import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { FactKind, Flavor } from '../db/schema.ts';
import { hashesOf } from '../event/event-ids.ts';
import { tagNamed, tagsColumn } from '../event/event-tags.ts';
import {
  ALIAS_FACT,
  BROWSER_FACT,
  ENVIRONMENT_FACT,
  type FactLists,
  type FactMatch,
  HOST_FACT,
  PATH_FACT,
  PERSON_FACT,
  RELEASE_FACT,
  SERVER_FACT,
  TAG_FACT,
  VERSION_FACT,
} from '../event/fact-forms.ts';
import { hasOneOf } from './hash-hits.ts';

/** Selects the events that may have some facts by their columns: `like` knows neither the lower case of all letters nor composed ones. */

/** Columns that SQLite stores behind the payload: it reads both. */
const LATE_COLUMNS = [
  [HOST_FACT, 'host'],
  [SERVER_FACT, 'server'],
  [TAG_FACT, 'tags'],
] as const;

/** Returns the columns that {@link mayHaveOne} reads. */
export function columnsOf(facts: FactLists): RawBuilder<unknown> {
  const kinds = new Set<FactKind>(facts.flat().map(({ kind }) => kind));
  const late = LATE_COLUMNS.filter(([kind]) => kinds.has(kind)).map(
    ([, column]) => sql`, ${sql.ref(column)}`,
  );
  return sql`id, occurred_ms, release, person, path, environment, browser${sql.join(late, sql``)}`;
}

/** Selects the events that may have one of some facts: all that have it, and few others. */
export function mayHaveOne(flavor: Flavor, some: readonly FactMatch[]): RawBuilder<SqlBool> {
  const anyOf = some.map((fact) => mayHave(flavor, fact));
  return sql`(${sql.join(anyOf, sql` or `)})`;
}

/** Selects events that have one of some facts for certain: not all that do. Null where the columns cannot tell. */
export function surelyHasOne(flavor: Flavor, some: readonly FactMatch[]): RawBuilder<SqlBool> | null {
  const anyOf = some.map((fact) => surelyHas(flavor, fact)).filter((condition) => condition !== null);
  return anyOf.length === 0 ? null : sql`(${sql.join(anyOf, sql` or `)})`;
}

/** Of a path and a release the case counts, unlike in `like`, and a column says too little of a version. */
function surelyHas(flavor: Flavor, fact: FactMatch): RawBuilder<SqlBool> | null {
  const { kind, from, to } = fact;
  if (asciiOf(from) !== from || kind === VERSION_FACT) return null;
  if (kind === RELEASE_FACT) return to === null ? sql`release = ${from}` : null;
  if (kind !== PATH_FACT) return mayHave(flavor, fact);
  // An escape may stand for the same character, and a letter behind the beginning may be one with it.
  if (from.startsWith('#') || from.includes('%')) return null;
  const below = from.replace(/\/?$/, '/');
  const isBelow = sql`substr(path, 1, ${sql.lit(below.length)}) = ${below}`;
  return to === null ? sql`path = ${from}` : sql`(path = ${from} or ${isBelow})`;
}

function mayHave(flavor: Flavor, { kind, from, to }: FactMatch): RawBuilder<SqlBool> {
  const begin = likeText(from) + (to === null ? '' : '%');
  const has = (column: string, pattern: string): RawBuilder<SqlBool> =>
    sql`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`;
  switch (kind) {
    case RELEASE_FACT:
      return has('release', begin);
    case VERSION_FACT:
      return has('release', `%@${begin}`);
    case HOST_FACT:
      return has('host', begin);
    case PATH_FACT:
      // A route stands behind a path.
      return from.startsWith('#')
        ? has('path', `%${begin}`)
        : sql`(${has('path', begin)} or ${has('path', `${begin}#%`)})`;
    case PERSON_FACT:
      return sql`(${has('person', begin)} or (
        select ${hasOneOf(flavor, hashesOf([`user:${from}`]))} from event_ids where event_ids.event = event.id
      ))`;
    case ENVIRONMENT_FACT:
      return has('environment', asciiOf(begin));
    case SERVER_FACT:
      return has('server', asciiOf(begin));
    case BROWSER_FACT:
      return has('browser', asciiOf(begin));
    case TAG_FACT: {
      const tag = tagNamed(from);
      return tag === null
        ? sql`false`
        : has('tags', `%${asciiOf(likeText((tagsColumn([tag]) ?? '').slice(1, -1)))}%`);
    }
    case ALIAS_FACT:
      // No column has it.
      return sql`false`;
  }
}

/** Databases know the lower case of ASCII only, and the facts are composed: any other characters match. */
function asciiOf(pattern: string): string {
  return pattern.replace(/[^\0-\x7f]+/g, '%');
}

/** Returns a text as a part of a pattern of `like … escape '\\'`. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
