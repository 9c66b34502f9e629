import { FIND_FIELDS } from '../../contract/find-api.ts';
import type { BadValue, NearestWord, UnknownWords } from '../../contract/issues-api.ts';
import { isTyped, MAX_FIELDS, readSearch, type SearchTerm } from '../../store/search/search-terms.ts';
import { expectedInstead } from '../../store/search/typed-values.ts';
import { editsBetween } from './edits.ts';

const NAMES = FIND_FIELDS.map((name) => `${name}:`);
const KNOWN: readonly string[] = [...NAMES, '-word', '"exact text"'];
/** `priority:high`, but neither `https://…`, `localhost:3000` nor `TypeError:` in a message. */
const FILTER = /^([a-z_]+:)(?![\d/:])./;
/** Also with a number behind it, where it is near a known one: `relaese:1.4.2`. */
const NEAR_FILTER = /^([a-z_]+:)(?!\/\/)./i;
const OPERATORS: ReadonlySet<string> = new Set(['OR', 'AND', 'NOT']);
const MAX_EDITS = 2;

/**
 * Returns the words of a search that other search languages understand and this one searches as text: unknown filters
 * (`priority:high`) and operators (`OR`); and the filters that have no value, or one that they cannot have. Undefined when there
 * are none, and for a pasted message.
 */
export function unknownWords(query: string): UnknownWords | undefined {
  const text = query.trim();
  if (!isTyped(text)) return undefined;
  const terms = readSearch(text);
  const hasOperators = terms.length > 1 && /\p{Ll}/u.test(text);
  const words = terms.filter(({ field, isQuoted }) => field === null && !isQuoted);
  const unknown = words.flatMap(({ value }) => {
    const filter = FILTER.exec(value)?.[1] ?? nearFilter(value);
    return filter !== undefined ? [filter] : hasOperators && OPERATORS.has(value) ? [value] : [];
  });
  const fields = terms.filter(({ field }) => field !== null);
  const empty = fields.flatMap(({ field, value }) => (value.trim() === '' ? [`${field ?? ''}:`] : []));
  const badValues = [
    ...fields.slice(0, MAX_FIELDS).flatMap(badValueOf),
    ...fields.slice(MAX_FIELDS).map(tooMany),
  ];
  if (unknown.length + empty.length + badValues.length === 0) return undefined;
  return {
    unknown: [...new Set(unknown)],
    nearest: [...new Set(unknown)].flatMap(nearestOf),
    empty: [...new Set(empty)],
    badValues,
    known: KNOWN,
  };
}

function nearFilter(word: string): string | undefined {
  const [, filter] = NEAR_FILTER.exec(word) ?? [];
  return filter !== undefined && nearestOf(filter).length > 0 ? filter : undefined;
}

/** Of a short name two edits leave nothing: `os:` is no `is:`. */
function nearestOf(unknown: string): readonly NearestWord[] {
  const name = unknown.toLowerCase();
  const most = Math.min(MAX_EDITS, Math.ceil((name.length - 1) / 2) - 1);
  const near = NAMES.map((known) => ({ unknown, known, edits: editsBetween(name, known) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((one, other) => one.edits - other.edits);
  return near.slice(0, 1).map(({ known }) => ({ unknown, known }));
}

function badValueOf({ field, value, typed }: SearchTerm): readonly BadValue[] {
  const expected = field === null || value.trim() === '' ? null : expectedInstead(field, value);
  return expected === null ? [] : [{ term: typed, expected }];
}

function tooMany({ typed }: SearchTerm): BadValue {
  return { term: typed, expected: `at most ${MAX_FIELDS} filters` };
}
