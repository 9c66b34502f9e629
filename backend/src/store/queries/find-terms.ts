import { FIND_FILTERS, type ReadText } from '../../contract/find-api.ts';
import { type FactLists, matchesOf, searchText } from '../event/fact-forms.ts';
import { MAX_FIELDS, readSearch, type SearchTerm } from '../search/search-terms.ts';
import { type TypedValue, typedValue } from '../search/typed-values.ts';
import type { EventTerms, SpanTerm } from './event-terms.ts';

/** A condition on the issue itself. */
export type StateTerm = Exclude<TypedValue, { readonly span: unknown }> & { readonly isNegated: boolean };

/** The terms of a search. An issue must match all of them. */
export interface FindTerms extends EventTerms {
  /** The filters as they were typed, without those that must not match. */
  readonly filters: readonly ReadText[];
  /** The search without them. */
  readonly rest: string;
  readonly states: readonly StateTerm[];
  /** Substrings of the text, in its form. */
  readonly texts: readonly string[];
  /** Those that it must not contain. */
  readonly withoutTexts: readonly string[];
}

/** Longest part of a text that is compared; that of a filter is the length of its facts. */
const MAX_TEXT_LENGTH = 200;
/** Most words: the first words of a pasted page suffice. */
const MAX_TEXTS = 10;

/** Reads the terms of a search; see readSearch. */
export function readTerms(query: string, nowMs: number): FindTerms {
  const terms = readSearch(query);
  const fields = terms.filter(({ field }) => field !== null);
  const words = terms.filter(({ field }) => field === null);
  const texts = new Map(words.map((term) => [`${term.isNegated} ${textOf(term)}`, term]));
  const [withoutTexts = [], kept = []] = [true, false].map((isNegated) =>
    [...texts.values()]
      .slice(0, MAX_TEXTS)
      .filter((term) => term.isNegated === isNegated)
      .map(textOf),
  );
  const values = fields.map((term, at) => (at < MAX_FIELDS ? valueOf(term, nowMs) : FOUND_BY_NOTHING));
  return {
    filters: fields.flatMap(filterOf),
    rest: terms
      .filter((term) => filterOf(term).length === 0)
      .map(({ typed }) => typed)
      .join(' '),
    facts: values.flatMap(({ facts = [] }) => facts),
    without: values.flatMap(({ without }) => (without === undefined ? [] : [without])),
    spans: values.flatMap(({ span }) => span ?? []),
    states: values.flatMap(({ state }) => state ?? []),
    texts: kept,
    withoutTexts,
  };
}

/** Returns whether a search has a field; words alone may also be an id. */
export function hasFields({ facts, without, spans, states }: FindTerms): boolean {
  return facts.length + without.length + spans.length + states.length > 0;
}

/** Returns whether a search has no term. */
export function isBlank(terms: FindTerms): boolean {
  return !hasFields(terms) && terms.texts.length + terms.withoutTexts.length === 0;
}

function textOf({ value }: SearchTerm): string {
  return searchText(value).slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

function filterOf({ field, value, isNegated }: SearchTerm): readonly ReadText[] {
  const as = FIND_FILTERS.find((filter) => filter === field);
  return as === undefined || isNegated ? [] : [{ as, value }];
}

interface FieldValue {
  readonly facts?: FactLists;
  readonly without?: FactLists;
  readonly span?: SpanTerm;
  readonly state?: StateTerm;
}

/** A list without a fact, which nothing has. */
const FOUND_BY_NOTHING: FieldValue = { facts: [[]] };

function valueOf({ field, value, isNegated }: SearchTerm, nowMs: number): FieldValue {
  if (field === null) return {};
  const typed = typedValue(field, value);
  if (typed === null) return FOUND_BY_NOTHING;
  if (typed === undefined) {
    const facts = matchesOf(field, value);
    if (facts.some((some) => some.length === 0)) return FOUND_BY_NOTHING;
    return isNegated ? { without: facts } : { facts };
  }
  if (!('span' in typed)) return { state: { ...typed, isNegated } };
  const { span } = typed;
  const range = 'lastMs' in span ? { fromMs: nowMs - span.lastMs, toMs: null } : span;
  return { span: { ...range, isNegated } };
}

/**
 * The same without the words that differ from one event to the next; null where that leaves nothing, or changes nothing.
 * `order 4711 has no items` is the message of one event, and its issue is found by another's.
 */
export function withoutNumbers({ texts, ...others }: FindTerms): FindTerms | null {
  const kept = texts.flatMap((text) => text.split(/\s*\S*\d\S*\s*/)).filter((text) => text !== '');
  const saysMore = kept.some((text) => /\p{L}{3}/u.test(text));
  return saysMore && kept.join(' ') !== texts.join(' ')
    ? { ...others, texts: kept.slice(0, MAX_TEXTS) }
    : null;
}
