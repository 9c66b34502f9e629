import { FIND_FILTERS } from '../../contract/find-api.ts';
import type { UnknownWords } from '../../contract/issues-api.ts';

/** A longer text, or one of several lines, is a pasted message and no search that a user typed. */
const MAX_LENGTH = 200;

const KNOWN: readonly string[] = [...FIND_FILTERS.map((name) => `${name}:`), '"exact text"'];
const TOKEN = /[a-z_]+:"[^"]*"|"[^"]*"|\S+/gi;
const FILTER_NAME = new RegExp(`^(?:${FIND_FILTERS.join('|')}):`, 'i');
/** `url:""`, or `url:` where no words surround it; the store reads them alike. */
const EMPTY = /^[^:]+:(?:"\s*")?$/;
/** `level:error`, but neither `https://…`, `localhost:3000` nor `TypeError:` in a message. */
const FILTER = /^([a-z_]+:)(?![\d/:])./;
const EXCLUDED = /^-\p{L}/u;
const OPERATORS: ReadonlySet<string> = new Set(['OR', 'AND', 'NOT']);

/**
 * Returns the words of a search that other search languages understand and this one searches as text: unknown filters
 * (`level:error`), exclusions (`-word`) and operators (`OR`); and the filters that have no value. Undefined when there are
 * none, and for a pasted message.
 */
export function unknownWords(query: string): UnknownWords | undefined {
  const text = query.trim();
  if (text.length > MAX_LENGTH || text.includes('\n')) return undefined;
  const tokens = text.match(TOKEN) ?? [];
  const hasOperators = tokens.length > 1 && /\p{Ll}/u.test(text);
  const unknown = tokens.flatMap((token) => {
    const filter = FILTER.exec(token)?.[1];
    if (filter !== undefined) return KNOWN.includes(filter) ? [] : [filter];
    return EXCLUDED.test(token) || (hasOperators && OPERATORS.has(token)) ? [token] : [];
  });
  const empty = emptyFilters(tokens);
  if (unknown.length + empty.length === 0) return undefined;
  return { unknown: [...new Set(unknown)], empty: [...new Set(empty)], known: KNOWN };
}

function emptyFilters(tokens: readonly string[]): readonly string[] {
  const hasWords = tokens.some((token) => !FILTER_NAME.test(token));
  return tokens.flatMap((token) => {
    const [name] = FILTER_NAME.exec(token) ?? [];
    const isEmpty = EMPTY.test(token) && (token.endsWith('"') || !hasWords);
    return name !== undefined && isEmpty ? [name.toLowerCase()] : [];
  });
}
