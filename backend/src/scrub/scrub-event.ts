import { isCardNumber } from './account-numbers.ts';
import { scrubQuery, scrubText } from './scrub-text.ts';
import { FILTERED, isSensitiveName, isSensitiveParameter } from './sensitive-names.ts';

/**
 * scrub/ takes secrets out of an event before the store keeps it (faults.md S23). It must never change what it
 * was given, never throw, and never let an event grow.
 */

/** Levels of objects and arrays; what SDKs send has fewer than 20. */
const MAX_DEPTH = 32;
/** Objects, arrays, strings and numbers of one event; a large real one has about 10,000. */
const MAX_VALUES = 100_000;
/** Characters of one string, the mark included. */
const MAX_STRING_LENGTH = 16_384;
/** Characters of one string that are scrubbed, and how many of them at its end a cut secret may reach back. */
const MAX_RAW_LENGTH = 65_536;
const RAW_MARGIN = 1_024;
const MAX_KEY_LENGTH = 256;
const MAX_ENTRIES = 1_000;
const MAX_BREADCRUMBS = 100;

const CUT = '…';
const TRUNCATED = '[Truncated]';

/** Lists whose newest or innermost entry stands last; of the others the first entries are kept. */
const NEWEST_LAST: ReadonlySet<string> = new Set(['breadcrumbs', 'frames', 'values']);
/** Parts of an event whose keys are names of packages, images and SDK parts, such as `cookie` or `express-session`. */
const NAMED_BY_PACKAGES: ReadonlySet<string> = new Set(['modules', 'debug_meta', 'sdk', 'measurements']);
const PARAMETERS = /headers?$|^env$|^query_string$|^(?:http|url)\.query$/i;
/** A query string or a form body, wherever it stands. */
const QUERY = /^[^\s=&?"'\\{[]{1,100}=[^\s"'\\<>]*$/;
const ID = /^(?:event|trace|span|parent_span|segment|replay|profile|debug|code)_id$/;
const ID_VALUE = /^[\da-f-]{8,40}$/i;
const PLAIN_KEY = /^[A-Za-z_.-]{0,64}$/;

type NameRule = 'any' | 'parameters' | 'none';

/** Where a value stands. */
interface Place {
  readonly depth: number;
  readonly key: string;
  readonly rule: NameRule;
  readonly isEntry: boolean;
}

/** Counted over one event. */
interface Count {
  values: number;
  filtered: number;
}

/**
 * A scrubbed deep copy of an event, or of any JSON value.
 *
 * Values of sensitive names and headers, all cookies, card numbers, private keys, tokens and the sensitive
 * parameters of URLs become `[Filtered]`, also within strings and within JSON that a string holds. Kept are
 * `user.id`, `email`, `username` (support looks up by them) and `ip_address` (`ERRATA_CLIENT_IP` governs it at
 * intake), booleans and null. Linear in the size of the event; too deep, too long and too many is cut.
 */
export function scrubEvent(event: unknown): unknown {
  return scrubValue(event, { depth: 0, key: '', rule: 'any', isEntry: false }, { values: 0, filtered: 0 });
}

function scrubValue(value: unknown, place: Place, count: Count): unknown {
  count.values += 1;
  if (count.values > MAX_VALUES) return TRUNCATED;
  if (typeof value === 'string') return scrubString(value, place, count);
  if (typeof value === 'number' || typeof value === 'bigint') return scrubNumber(value, count);
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return undefined;
  if (place.depth >= MAX_DEPTH) return TRUNCATED;
  return Array.isArray(value) ? scrubArray(value, place, count) : scrubObject(value, place, count);
}

function scrubArray(list: readonly unknown[], place: Place, count: Count): readonly unknown[] {
  const limit = place.key === 'breadcrumbs' ? MAX_BREADCRUMBS : MAX_ENTRIES;
  const kept = NEWEST_LAST.has(place.key) ? list.slice(-limit) : list.slice(0, limit);
  const [name, value] = kept;
  if (place.isEntry && kept.length === 2 && typeof name === 'string' && isSensitive(name, place.rule))
    return [name, filtered(value, count)];
  const inner = { ...place, depth: place.depth + 1, isEntry: true };
  return kept.map((entry) => scrubValue(entry, inner, count) ?? null);
}

function scrubObject(object: object, place: Place, count: Count): unknown {
  const entries = Object.entries(object).filter(([key]) => key !== '__proto__');
  const named = nameOf(object);
  const scrubbed = entries.slice(0, MAX_ENTRIES).map(([key, value]): [string, unknown] => {
    const name = named !== null && key === 'value' ? named : key;
    if (isSensitive(name, place.rule)) return [keyOf(key), filtered(value, count)];
    return [keyOf(key), scrubValue(value, placeBelow(place, key), count)];
  });
  return Object.fromEntries(scrubbed.filter(([, value]) => value !== undefined));
}

/** `{ name: 'cookie', value: … }`, as HAR and tags write a pair. */
function nameOf(object: object): string | null {
  const name: unknown = Reflect.get(object, 'name') ?? Reflect.get(object, 'key');
  return typeof name === 'string' ? name : null;
}

function placeBelow(place: Place, key: string): Place {
  const isTop = place.depth === 0;
  const rule = ruleBelow(place.rule, key, isTop);
  const isCrumbs = place.key === 'breadcrumbs' && key === 'values';
  return { depth: place.depth + 1, key: isCrumbs ? 'breadcrumbs' : key, rule, isEntry: false };
}

function ruleBelow(rule: NameRule, key: string, isTop: boolean): NameRule {
  if (isTop && NAMED_BY_PACKAGES.has(key)) return 'none';
  return rule === 'any' && PARAMETERS.test(key) ? 'parameters' : rule;
}

function isSensitive(name: string, rule: NameRule): boolean {
  if (rule === 'none') return false;
  return rule === 'parameters' ? isSensitiveParameter(name) : isSensitiveName(name);
}

function filtered(value: unknown, count: Count): unknown {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return value;
  count.filtered += 1;
  return FILTERED;
}

function scrubNumber(value: number | bigint, count: Count): unknown {
  return isCardNumber(String(value)) ? filtered(value, count) : value;
}

function scrubString(text: string, place: Place, count: Count): string {
  if (ID.test(place.key) && ID_VALUE.test(text)) return text;
  const whole = scrubJson(text, place, count) ?? text;
  const source = whole.slice(0, MAX_RAW_LENGTH);
  const inText = scrubText(source);
  const scrubbed = QUERY.test(inText) ? scrubQuery(inText) : inText;
  if (scrubbed !== text) count.filtered += 1;
  if (source !== whole) return cut(scrubbed.slice(0, -RAW_MARGIN) + CUT, MAX_STRING_LENGTH);
  return cut(scrubbed, MAX_STRING_LENGTH);
}

/** A body or an argument that was sent as JSON. Undefined when it is none, or when nothing in it was filtered. */
function scrubJson(text: string, place: Place, count: Count): string | undefined {
  if (!/^\s*[[{]/.test(text) || place.depth >= MAX_DEPTH) return undefined;
  const filteredBefore = count.filtered;
  try {
    const scrubbed = scrubValue(
      JSON.parse(text),
      { ...place, depth: place.depth + 1, isEntry: false },
      count,
    );
    return count.filtered === filteredBefore ? undefined : JSON.stringify(scrubbed);
  } catch {
    return undefined;
  }
}

function keyOf(key: string): string {
  return PLAIN_KEY.test(key) ? key : cut(scrubText(key.slice(0, RAW_MARGIN)), MAX_KEY_LENGTH);
}

/** Never through the middle of a mark or of a character. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, maxLength - CUT.length).replace(/[\uD800-\uDBFF]$/, '');
  return head.replace(/\[F?i?l?t?e?r?e?d?$/, '') + CUT;
}
