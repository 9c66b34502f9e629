import { FIND_FILTERS, type ReadText } from '../../contract/find-api.ts';
import { type FactLists, type FactMatch, matchesOf, searchText } from '../event/fact-forms.ts';

/** The terms of a search. An issue must match all of them. */
export interface FindTerms {
  /** The filters as they were typed. */
  readonly filters: readonly ReadText[];
  /** Lists of facts: an issue must have one of each list; see matchesOf. A filter without a value has none, and finds nothing. */
  readonly facts: FactLists;
  /** Substrings of the text, in its form. */
  readonly texts: readonly string[];
}

/** Longest part of a text that is compared; that of a filter is the length of its facts. */
const MAX_TEXT_LENGTH = 200;
/** Most words: the first words of a pasted page suffice. */
const MAX_TEXTS = 10;
/** A URL has two: host and path. */
const MAX_FACTS = 6;

const TERM = new RegExp(`(?:(${FIND_FILTERS.join('|')}):)?(?:"([^"]*)"|(\\S+))`, 'gi');
/** As people write it: `user: ann`. Among other words, a name before a blank is one of them. */
const SPACED = new RegExp(`^\\s*(${FIND_FILTERS.join('|')}):\\s+("[^"]*"|\\S+)\\s*$`, 'i');
const NO_VALUE = new RegExp(`^(?:${FIND_FILTERS.join('|')}):$`);

/** Reads `release:1.4.2 user:ann@example.org url:/checkout "exact words" other words`. */
export function readTerms(query: string): FindTerms {
  const filters: ReadText[] = [];
  const facts: (readonly FactMatch[])[] = [];
  const texts: string[] = [];
  const search = query.replaceAll('\0', '').replace(SPACED, '$1:$2');
  for (const [, name, quote, word] of search.matchAll(TERM)) {
    const value = (quote ?? word ?? '').toWellFormed();
    const filter = FIND_FILTERS.find((known) => known === name?.toLowerCase());
    if (filter !== undefined) {
      filters.push({ as: filter, value });
      facts.push(...matchesOf(filter, value));
    } else if (value.trim() !== '') texts.push(searchText(value).slice(0, MAX_TEXT_LENGTH).toWellFormed());
  }
  // Among words, `url:` is one of them: "cannot load url: https://…".
  if (texts.length > 0 && texts.every((text) => NO_VALUE.test(text)))
    return { filters, facts: [[]], texts: [] };
  return { filters, facts: facts.slice(0, MAX_FACTS), texts: [...new Set(texts)].slice(0, MAX_TEXTS) };
}

/**
 * The same without the words that differ from one event to the next; null where that leaves nothing, or changes nothing.
 * `order 4711 has no items` is the message of one event, and its issue is found by another's.
 */
export function withoutNumbers({ texts, ...filters }: FindTerms): FindTerms | null {
  const kept = texts.flatMap((text) => text.split(/\s*\S*\d\S*\s*/)).filter((text) => text !== '');
  const saysMore = kept.some((text) => /\p{L}{3}/u.test(text));
  return saysMore && kept.join(' ') !== texts.join(' ')
    ? { ...filters, texts: kept.slice(0, MAX_TEXTS) }
    : null;
}
