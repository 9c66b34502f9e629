import { isCardNumber } from './account-numbers.ts';
import { isExactNumber } from '../digest/fields.ts';
import { cut, cutMargin } from './cut.ts';
import { MAX_VALUES, parseBoundedJson } from './bounded-json.ts';
import { factsOfKey, type KeyFacts } from './sensitive-keys.ts';
import { scrubQuery, scrubText } from './scrub-text.ts';
import { FILTERED, isSensitiveName, isSensitiveParameter } from './sensitive-names.ts';

/**
 * scrub/ removes secrets from an event before it is stored (threat S8). It must never change its argument, never
 * throw, and never let an event grow beyond the limits below.
 */

/** Maximum nesting of objects and arrays; events of SDKs have fewer than 20 levels. */
const MAX_DEPTH = 32;
/** Maximum length of a string, characters, `…` included. */
const MAX_STRING_LENGTH = 16_384;
/** Characters of a string that are scrubbed, and how many of the last ones may belong to a truncated secret. */
const MAX_RAW_LENGTH = 65_536;
const RAW_MARGIN = 1_024;
/**
 * Characters of one envelope that are scrubbed, those of JSON in a string again at each level: 60 KB of gzip can hold 19 MB
 * of the most costly text. Upstreams accept events of 1 MiB, and SDKs put one into each envelope.
 */
const MAX_SCRUBBED_LENGTH = 2 ** 20;
/**
 * Characters that each item of an envelope has, also behind items that have spent the others: a check-in keeps its names, and
 * an event its title and release. An envelope has at most 1,000 items and 10 events.
 */
const MIN_SCRUBBED_LENGTH = 2 ** 13;
/** Levels of JSON in a string: a body, and a document in a field of it. */
const MAX_TEXT_LEVELS = 2;
const MAX_ENTRIES = 1_000;
const MAX_BREADCRUMBS = 100;

const MIN_CARD = 1e12;

const TRUNCATED = '[Truncated]';

/**
 * Members of an event that are scrubbed before all others, in this order: its title, and what it is found by. The others lose
 * their values before them.
 */
const FIRST_MEMBERS: ReadonlySet<string> = new Set(
  'exception message logentry level release environment user request transaction server_name tags contexts'.split(
    ' ',
  ),
);
/** Lists with the newest or innermost entry at the end: they keep their last entries, other lists the first. */
const NEWEST_LAST: ReadonlySet<string> = new Set(['breadcrumbs', 'frames', 'values']);
/** A query string or a form body, under any key. */
const QUERY = /^[^\s=&?"'\\{[]{1,100}=[^\s"'\\<>]*$/;
const ID_VALUE = /^[\da-f-]{8,40}$/i;

type NameRule = 'any' | 'parameters' | 'none';

/** Position of a value in the event. */
interface ValuePosition {
  readonly depth: number;
  /** Strings of JSON around the value. */
  readonly textLevels: number;
  readonly key: string;
  readonly rule: NameRule;
  readonly isEntry: boolean;
  readonly isId: boolean;
}

const TOP: ValuePosition = { depth: 0, textLevels: 0, key: '', rule: 'any', isEntry: false, isId: false };

/** Characters of texts and names that may still be scrubbed. */
export interface ScrubBudget {
  characters: number;
}

/** Makes the budget of one envelope, which its items share: with one for each, a request could hold a thread for seconds. */
export function newScrubBudget(): ScrubBudget {
  return { characters: MAX_SCRUBBED_LENGTH };
}

/** A value whose object is scrubbed, but not yet the value. */
interface PassedValue {
  readonly value: unknown;
  readonly place: ValuePosition;
  readonly scrubbed: Record<string, unknown>;
  readonly name: string;
}

/** Counters of one event. */
interface ScrubCounts {
  readonly budget: ScrubBudget;
  values: number;
  /** Values that were filtered or truncated. */
  changes: number;
  /** Values that are scrubbed after those around them. */
  readonly later: PassedValue[];
}

/**
 * Returns a deep copy of an event, or of any JSON value, without secrets.
 *
 * Replaces by `[Filtered]`: values of sensitive names and headers, all cookies, card numbers, private keys, tokens
 * and sensitive parameters of URLs, also within strings and within JSON in a string. Keeps `user.id`, `email` and
 * `username`, because support finds errors by them, `ip_address`, because `ERRATA_CLIENT_IP` already applied to it,
 * booleans and null. Takes linear time; truncates too deep, too long and too many values, and the strings that exceed the
 * budget of characters, those of {@link FIRST_MEMBERS} last.
 *
 * @param budget that of an envelope for one of its items, which has 8 KiB of it at least.
 */
export function scrubEvent(event: unknown, budget = newScrubBudget()): unknown {
  budget.characters = Math.max(budget.characters, MIN_SCRUBBED_LENGTH);
  const count: ScrubCounts = { budget, values: 0, changes: 0, later: [] };
  const scrubbed = scrubValue(event, TOP, count);
  scrubPassed(count);
  return scrubbed;
}

/** Scrubs the values that were passed over, and those that they pass over. */
function scrubPassed(count: ScrubCounts): void {
  for (const { value, place, scrubbed, name } of count.later) {
    const kept = scrubValue(value, place, count);
    if (kept !== undefined) scrubbed[name] = kept;
  }
  count.later.length = 0;
}

function scrubValue(value: unknown, place: ValuePosition, count: ScrubCounts): unknown {
  count.values += 1;
  if (count.values > MAX_VALUES) return truncated(count);
  if (typeof value === 'string') return scrubString(value, place, count);
  if (typeof value === 'number' || typeof value === 'bigint') return scrubNumber(value, count);
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return undefined;
  if (isExactNumber(value)) return isCardNumber(value.rawJSON) ? filtered(value, count) : value;
  if (place.depth >= MAX_DEPTH) return truncated(count);
  return Array.isArray(value) ? scrubArray(value, place, count) : scrubObject(value, place, count);
}

function scrubArray(list: readonly unknown[], place: ValuePosition, count: ScrubCounts): readonly unknown[] {
  const limit = place.key === 'breadcrumbs' ? MAX_BREADCRUMBS : MAX_ENTRIES;
  const isNewestLast = NEWEST_LAST.has(place.key);
  const kept = isNewestLast ? list.slice(-limit) : list.slice(0, limit);
  const [name, value] = kept;
  if (place.isEntry && kept.length === 2 && typeof name === 'string' && isSensitive(name, place.rule))
    return [name, filtered(value, count)];
  const inner = { ...place, depth: place.depth + 1, isEntry: true };
  const scrub = (entry: unknown): unknown => scrubValue(entry, inner, count) ?? null;
  return isNewestLast ? kept.toReversed().map(scrub).toReversed() : kept.map(scrub);
}

function scrubObject(object: object, place: ValuePosition, count: ScrubCounts): unknown {
  const scrubbed: Record<string, unknown> = {};
  let entries = 0;
  for (const key of place.depth === 0 ? membersOf(object) : Object.keys(object)) {
    if (key === '__proto__') continue;
    entries += 1;
    if (entries > MAX_ENTRIES) break;
    if (place.depth === 0 && !FIRST_MEMBERS.has(key)) scrubPassed(count);
    if (!spend(key.length, count)) {
      scrubbed[TRUNCATED] = truncated(count);
      continue;
    }
    const value: unknown = Reflect.get(object, key);
    const facts = factsOfKey(key);
    const isFiltered = isHidden(facts, key === 'value' ? nameOf(object) : null, place.rule);
    // JSON in a string is written as soon as it is scrubbed.
    if (!isFiltered && facts.isLarge && place.textLevels === 0) {
      count.later.push({ value, place: placeBelow(place, key, facts), scrubbed, name: facts.name });
      continue;
    }
    const kept = isFiltered
      ? filtered(value, count)
      : scrubValue(value, placeBelow(place, key, facts), count);
    if (kept !== undefined) scrubbed[facts.name] = kept;
  }
  return scrubbed;
}

/** Returns the names of the members of an event, the first ones in their order. */
function membersOf(event: object): readonly string[] {
  const first = [...FIRST_MEMBERS].filter((name) => Object.hasOwn(event, name));
  return [...first, ...Object.keys(event).filter((name) => !FIRST_MEMBERS.has(name))];
}

/** Returns the name of a pair in the form `{ name: 'cookie', value: … }` of HAR and tags. */
function nameOf(object: object): string | null {
  const name: unknown = Reflect.get(object, 'name') ?? Reflect.get(object, 'key');
  return typeof name === 'string' ? name : null;
}

function placeBelow(place: ValuePosition, key: string, facts: KeyFacts): ValuePosition {
  const isCrumbs = place.key === 'breadcrumbs' && key === 'values';
  return {
    depth: place.depth + 1,
    textLevels: place.textLevels,
    key: isCrumbs ? 'breadcrumbs' : key,
    rule: ruleBelow(place, facts),
    isEntry: false,
    isId: facts.isId,
  };
}

function ruleBelow(
  { rule, depth }: ValuePosition,
  { isNamedByPackages, holdsParameters }: KeyFacts,
): NameRule {
  if (depth === 0 && isNamedByPackages) return 'none';
  return rule === 'any' && holdsParameters ? 'parameters' : rule;
}

function isHidden(facts: KeyFacts, named: string | null, rule: NameRule): boolean {
  if (named !== null) return isSensitive(named, rule);
  if (rule === 'none') return false;
  return rule === 'parameters' ? facts.isSensitiveParameter : facts.isSensitive;
}

function isSensitive(name: string, rule: NameRule): boolean {
  if (rule === 'none') return false;
  return rule === 'parameters' ? isSensitiveParameter(name) : isSensitiveName(name);
}

function filtered(value: unknown, count: ScrubCounts): unknown {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return value;
  count.changes += 1;
  return FILTERED;
}

function truncated(count: ScrubCounts): string {
  count.changes += 1;
  return TRUNCATED;
}

/** Takes characters from the budget. Returns false and takes none when they exceed it. */
function spend(characters: number, { budget }: ScrubCounts): boolean {
  if (characters > budget.characters) return false;
  budget.characters -= characters;
  return true;
}

function scrubNumber(value: number | bigint, count: ScrubCounts): unknown {
  // A card has at least 13 digits; most numbers are lines and columns.
  if (value < MIN_CARD) return value;
  return isCardNumber(String(value)) ? filtered(value, count) : value;
}

function scrubString(text: string, place: ValuePosition, count: ScrubCounts): string {
  if (place.isId && ID_VALUE.test(text)) return text;
  const whole = scrubJson(text, place, count) ?? text;
  const source = whole.slice(0, MAX_RAW_LENGTH);
  if (!spend(source.length, count)) return truncated(count);
  const inText = scrubText(source);
  const scrubbed = inText.includes('=') && QUERY.test(inText) ? scrubQuery(inText) : inText;
  if (scrubbed !== text) count.changes += 1;
  if (source !== whole) return cut(cutMargin(scrubbed, RAW_MARGIN), MAX_STRING_LENGTH);
  return cut(scrubbed, MAX_STRING_LENGTH);
}

/**
 * Scrubs a body or an argument in JSON. Returns undefined if the text is no JSON, or if nothing in it was changed. A text
 * beyond the limits of the parser is truncated: its names are unknown.
 */
function scrubJson(text: string, place: ValuePosition, count: ScrubCounts): string | undefined {
  if (!/^\s*[[{]/.test(text) || place.depth >= MAX_DEPTH) return undefined;
  if (!spend(text.length, count)) return truncated(count);
  const changesBefore = count.changes;
  const json = parseBoundedJson(text);
  if (json.outcome === 'not_json') return undefined;
  if (json.outcome === 'unfit' || place.textLevels >= MAX_TEXT_LEVELS) return truncated(count);
  const inner = { ...place, depth: place.depth + 1, textLevels: place.textLevels + 1, isEntry: false };
  const scrubbed = scrubValue(json.value, inner, count);
  return count.changes === changesBefore ? undefined : JSON.stringify(scrubbed);
}
