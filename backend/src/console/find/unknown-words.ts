import { FIND_FIELDS, type FindField } from '../../contract/find-api.ts';
import type { BadValue, NearestWord, UnknownWords } from '../../contract/search-api.ts';
import { isTyped, MAX_FIELDS, readSearch, type SearchTerm } from '../../store/search/search-terms.ts';
import { expectedInstead } from '../../store/search/typed-values.ts';
import { editsBetween } from './edits.ts';

/** Those that the list of issues reads beside the fields. */
const OTHER_WORDS = ['-word', '"exact text"'];
/** Words of a pasted message that are named. */
const MAX_NAMED = 10;
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
 *
 * @param known the fields of the search. Without those of an issue, its words are unknown, too: events have no text.
 */
export function unknownWords(
  query: string,
  known: readonly FindField[] = FIND_FIELDS,
): UnknownWords | undefined {
  const text = query.trim();
  const isOfIssues = known.length === FIND_FIELDS.length;
  if (isOfIssues && !isTyped(text)) return undefined;
  const terms = readSearch(text);
  const hasOperators = terms.length > 1 && /\p{Ll}/u.test(text);
  const isOperator = (word: string): boolean => !isOfIssues || (hasOperators && OPERATORS.has(word));
  const names = known.map((name) => `${name}:`);
  const words = terms.filter(({ field, isQuoted }) => field === null && !(isOfIssues && isQuoted));
  const unknown = words.flatMap(({ value }) => {
    const filter = FILTER.exec(value)?.[1] ?? nearFilter(value, names);
    // A known one was quoted, so it is a text.
    if (filter !== undefined && !names.includes(filter.toLowerCase())) return [filter];
    return isOperator(value) ? [value] : [];
  });
  const fields = terms.filter(({ field }) => field !== null);
  const others = fields.flatMap(({ field }) =>
    field === null || known.includes(field) ? [] : [`${field}:`],
  );
  const empty = fields.flatMap(({ field, value }) => (value.trim() === '' ? [`${field ?? ''}:`] : []));
  const badValues = [
    ...fields.slice(0, MAX_FIELDS).flatMap(badValueOf),
    ...fields.slice(MAX_FIELDS).map(tooMany),
  ];
  if (unknown.length + others.length + empty.length + badValues.length === 0) return undefined;
  const named = [...new Set([...unknown, ...others])].slice(0, MAX_NAMED);
  return {
    unknown: named,
    nearest: named.flatMap((name) => nearestOf(name, names)),
    empty: [...new Set(empty)],
    badValues,
    known: isOfIssues ? [...names, ...OTHER_WORDS] : names,
  };
}

function nearFilter(word: string, names: readonly string[]): string | undefined {
  const [, filter] = NEAR_FILTER.exec(word) ?? [];
  return filter !== undefined && nearestOf(filter, names).length > 0 ? filter : undefined;
}

/** Of a short name two edits leave nothing: `os:` is no `is:`. A known one was quoted, or has its value elsewhere. */
function nearestOf(unknown: string, names: readonly string[]): readonly NearestWord[] {
  const name = unknown.toLowerCase();
  if (names.some((known) => name.startsWith(known))) return [];
  const most = Math.min(MAX_EDITS, Math.ceil((name.length - 1) / 2) - 1);
  const near = names
    .map((known) => ({ unknown, known, edits: editsBetween(name, known) }))
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
