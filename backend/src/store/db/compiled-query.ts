import { type Compilable, CompiledQuery, type QueryResult } from 'kysely';
import type { Database } from './schema.ts';

/**
 * Queries of every batch: Kysely builds the SQL once for each size, and the text is cached. Building it each time took a
 * tenth of the time of ingest, most of it for naming the same parameters again.
 */

/** Most rows of one statement: 256 events have 4,096 parameters; PostgreSQL accepts 65,535, SQLite 32,766. */
const MAX_ROWS = 256;

/** Cached SQL by query name, for each adapter: the two databases write parameters differently. */
const known = new WeakMap<object, Map<string, string>>();

/**
 * Runs the query that `build` makes. Queries with the same `name` must have the same SQL and differ only in `parameters`.
 * The number of rows therefore belongs in the name, and few numbers may occur: see {@link inSizes} and {@link padded}.
 */
export async function runCompiled<Row>(
  db: Database,
  name: string,
  parameters: readonly unknown[],
  build: () => Compilable<Row>,
): Promise<QueryResult<Row>> {
  const { adapter } = db.getExecutor();
  const texts = known.get(adapter) ?? new Map<string, string>();
  known.set(adapter, texts);
  const text = texts.get(name) ?? sqlOf(build().compile(), parameters);
  texts.set(name, text);
  return db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}

/** Returns the SQL to cache. Later calls pass only parameters, so the built query must have exactly these, in this order. */
function sqlOf({ sql, parameters: built }: CompiledQuery, parameters: readonly unknown[]): string {
  const isSame = built.length === parameters.length && built.every((value, at) => value === parameters[at]);
  if (!isSame) throw new Error(`query has other parameters than it is given: ${sql}`);
  return sql;
}

/** Splits rows into parts whose sizes are powers of two, so that batches of all sizes share nine statements. */
export function inSizes<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length;) {
    const size = Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(rows.length - at)));
    parts.push(rows.slice(at, at + size));
    at += size;
  }
  return parts;
}

/** Makes a list for `in (…)`: distinct values, filled up to a power of two by repeating the last one. */
export function padded<Value>(values: Iterable<Value>): readonly Value[] {
  const list = [...new Set(values)];
  const last = list.at(-1);
  if (last === undefined) return list;
  const size = 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...Array.from({ length: size - list.length }, () => last)];
}
