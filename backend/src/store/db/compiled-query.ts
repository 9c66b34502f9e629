import { type Compilable, CompiledQuery, type QueryResult } from 'kysely';
import type { Database } from './schema.ts';

/**
 * Queries that run for every batch: built by Kysely once for each size and kept as text. Building them took a tenth
 * of ingest, most of it to name the same parameters again.
 */

/** Rows of one statement at most: 256 events have 3,328 parameters, PostgreSQL takes 65,535, SQLite 32,766. */
const MAX_ROWS = 256;

/** By the adapter, since the two databases write parameters differently. */
const known = new WeakMap<object, Map<string, string>>();

/**
 * Runs what `build` says. For one `name` the text must be the same each time but for what `parameters` holds: sizes
 * belong in the name, and few of them; see {@link inSizes} and {@link padded}.
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
  const text = texts.get(name) ?? textOf(build().compile(), parameters);
  texts.set(name, text);
  return db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}

/** The next time only the parameters are given: they must be all there is, in this order. */
function textOf({ sql, parameters: built }: CompiledQuery, parameters: readonly unknown[]): string {
  const isSame = built.length === parameters.length && built.every((value, at) => value === parameters[at]);
  if (!isSame) throw new Error(`query has other parameters than it is given: ${sql}`);
  return sql;
}

/** The rows in parts whose sizes are powers of two, so that all batches share nine statements. */
export function inSizes<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length;) {
    const size = Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(rows.length - at)));
    parts.push(rows.slice(at, at + size));
    at += size;
  }
  return parts;
}

/** A list for `in (…)`, filled up to a power of two with its last entry. */
export function padded<Value>(values: Iterable<Value>): readonly Value[] {
  const list = [...new Set(values)];
  const last = list.at(-1);
  if (last === undefined) return list;
  const size = 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...Array.from({ length: size - list.length }, () => last)];
}
