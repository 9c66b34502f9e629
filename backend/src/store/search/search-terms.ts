import { FIND_FIELDS, type FindField } from '../../contract/find-api.ts';

/** A part of a search. An issue or an event must match all of them. */
export interface SearchTerm {
  /** Null for a text. */
  readonly field: FindField | null;
  /** Without its quotation marks. */
  readonly value: string;
  /** Whether it must not match: `-field:value`, `!field:value`, `-word`, `-"exact text"`. */
  readonly isNegated: boolean;
  readonly isQuoted: boolean;
  readonly typed: string;
}

/** A longer text, or one of several lines, is a pasted message and no search that a user typed. */
const MAX_TYPED_LENGTH = 200;

/** Most fields of a search, each of which is a condition. */
export const MAX_FIELDS = 10;

const NAMES = FIND_FIELDS.join('|');
/** A value ends at a blank. */
const VALUE = String.raw`"(?<quote>[^"]*)"|(?<word>\S+)`;
/** The value of a tag may be quoted behind its name: `tag:plan:"gold plus"`. */
const TAG = String.raw`(?<=tag:)(?<tag>[^\s":]+:)"(?<value>[^"]*)"`;
/** A minus before a single letter is an option of a command, and two before a word are one, too. */
const NEGATION = String.raw`(?<!\S)(?:[-!](?=(?:${NAMES}):)|-(?=\p{L}[^\s"]|"))`;
const TERM = new RegExp(`(?<negation>${NEGATION})?(?:(?<name>${NAMES}):)?(?:${TAG}|${VALUE})`, 'giu');
const WORD = new RegExp(VALUE, 'g');
/** As people write it: `user: ann`. Among other words, a name before a blank is one of them, as are all short ones: `at: line 3`. */
const SPACED = new RegExp(
  String.raw`^\s*(${FIND_FIELDS.filter((name) => !['is', 'last', 'at'].includes(name)).join('|')}):\s+("[^"]*"|\S+)\s*$`,
  'i',
);
const BEGINS_WITH_FIELD = new RegExp(`^[-!]?(?:${NAMES}):`, 'i');
const NO_VALUE = new RegExp(`^[-!]?(?:${NAMES}):$`, 'i');

/**
 * What a console writes before an error: `12:01:33.123 app.js:1 Uncaught (in promise) TypeError: …`, Safari `[Error]`, and Node.js
 * the place, its line and a `^`.
 */
const BEFORE =
  /^(?:(?:\S+:\d+(?:\.\d+)?\s+){0,2}Uncaught\s+(?:\(in promise\)\s+)?|\[Error\]\s+(?:Unhandled Promise Rejection:\s+)?|\S+:\d+\n[^\n]*\n\s*\^+\s+)(?=\S)/;
/** What follows it: its cause, its properties, and the version of Node.js. */
const BEHIND = /(?:\n[^\S\n]{0,9}(?:Caused by:|\[cause\]:|Node\.js v\d)|(?<=[\d)]) \{\n)[^]*/;
/** `    at Array.map (<anonymous>)`, and of Firefox `    total https://shop.example/cart.js:7`; a box of one line removes the breaks between them. */
const FRAME_LINE = /(?<=\n\s{1,20}| {4})(?:at [^\n]*?|(?:[^\s:]+ )?\w+:\/\/\S+:\d+)(?= {4}|\n|$)/g;
/** `at async total (/srv/cart.js:7:3)`, `total@https://shop.example/cart.js:7:3` anywhere. */
const FRAME = /(?<!\S)(?:at (?:[^\s()]+ ){0,4}\(?|[^\s@]*@)(?=[^\s()]*[/.])[^\s()]*:\d+:\d+\)?(?!\S)/g;

/** Removes what stands around a pasted error. Only its own words are in the text of its issue: these have other places, or none. */
function errorIn(text: string): string {
  const own = text.replace(BEFORE, '').replace(BEHIND, '');
  const error = own.replaceAll(FRAME_LINE, '').replaceAll(FRAME, '').trim();
  return error === '' ? text : error;
}

/** Reads `release:1.4.2 -browser:safari url:/checkout "exact words" -other words`. In a pasted message all are words. */
export function readSearch(query: string): readonly SearchTerm[] {
  const text = query.replaceAll('\0', '').toWellFormed().trim();
  const error = errorIn(text);
  const terms = isTyped(text)
    ? [...error.replace(SPACED, '$1:$2').matchAll(TERM)].map(termOf)
    : [...error.matchAll(WORD)].map(termOf);
  // Among words, `url:` is one of them: "cannot load url: https://…".
  const isEmpty =
    terms.length > 0 && terms.every(({ field, typed }) => field !== null || NO_VALUE.test(typed));
  return terms.flatMap((term) => {
    if (isEmpty && term.field === null) return withoutValue(term);
    return term.field === null && term.value.trim() === '' ? [] : [term];
  });
}

function withoutValue(term: SearchTerm): readonly SearchTerm[] {
  const field = fieldOf(term.typed.replace(/^[-!]|:$/g, ''));
  return field === null ? [] : [{ ...term, field, value: '' }];
}

function fieldOf(name: string | undefined): FindField | null {
  return FIND_FIELDS.find((known) => known === name?.toLowerCase()) ?? null;
}

/** Returns whether a user has typed a search: also one with a long value, such as the path of a page. */
export function isTyped(text: string): boolean {
  return !text.includes('\n') && (text.length <= MAX_TYPED_LENGTH || BEGINS_WITH_FIELD.test(text));
}

function termOf({ 0: typed, groups = {} }: RegExpExecArray): SearchTerm {
  const { negation, name, tag, value, quote, word = '' } = groups;
  const field = fieldOf(name);
  return {
    field,
    value: tag === undefined ? (quote ?? word) : `${tag}${value ?? ''}`,
    isNegated: negation !== undefined,
    isQuoted: quote !== undefined,
    typed,
  };
}
