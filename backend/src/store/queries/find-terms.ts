import { FIND_FILTERS } from '../../contract/find-api.ts';
import type { FactKind } from '../db/schema.ts';
import { PATH_FACT, PERSON_FACT, personFact, RELEASE_FACT } from '../event/event-facts.ts';

/** A fact that an issue must have. A path only has to begin with the value. */
export interface FactTerm {
  readonly kind: FactKind;
  readonly value: string;
}

/** The terms of a search. An issue must match all of them. */
export interface FindTerms {
  readonly facts: readonly FactTerm[];
  /** Substrings of the text, in lower case. */
  readonly texts: readonly string[];
}

const MAX_TERM_LENGTH = 200;
/** Most words: the first words of a pasted page suffice. */
const MAX_TEXTS = 10;
const MAX_FACTS = 5;

const TERM = new RegExp(`(?:(${FIND_FILTERS.join('|')}):)?(?:"([^"]*)"|(\\S+))`, 'gi');

/** Reads `release:1.4.2 user:ann@example.org url:/checkout "exact words" other words`. */
export function readTerms(query: string): FindTerms {
  const facts: FactTerm[] = [];
  const texts: string[] = [];
  for (const [, name, quote, word] of query.replaceAll('\0', '').matchAll(TERM)) {
    const value = (quote ?? word ?? '').slice(0, MAX_TERM_LENGTH).toWellFormed();
    if (value.trim() === '') continue;
    if (name === undefined) texts.push(value.toLowerCase());
    else facts.push(factTerm(name.toLowerCase(), value));
  }
  return { facts: facts.slice(0, MAX_FACTS), texts: [...new Set(texts)].slice(0, MAX_TEXTS) };
}

/**
 * The same without the words that differ from one event to the next; null where that leaves nothing, or changes nothing.
 * `order 4711 has no items` is the message of one event, and its issue is found by another's.
 */
export function withoutNumbers({ facts, texts }: FindTerms): FindTerms | null {
  const kept = texts.flatMap((text) => text.split(/\s*\S*\d\S*\s*/)).filter((text) => text !== '');
  const saysMore = kept.some((text) => /\p{L}{3}/u.test(text));
  return saysMore && kept.join(' ') !== texts.join(' ') ? { facts, texts: kept.slice(0, MAX_TEXTS) } : null;
}

function factTerm(name: string, value: string): FactTerm {
  if (name === 'release') return { kind: RELEASE_FACT, value };
  if (name === 'user') return { kind: PERSON_FACT, value: personFact(value) };
  return { kind: PATH_FACT, value: pathIn(value) };
}

/** Returns the path of a pasted URL. */
function pathIn(url: string): string {
  return URL.parse(url)?.pathname ?? url.replace(/[?#].*$/s, '');
}
