import type { ReadText } from '../../contract/find-api.ts';
import { DIGEST_SYMBOLS } from '../../digest/crockford.ts';
import { isCode } from '../../digest/id-text.ts';
import { type Candidate, readBack } from '../../digest/read-back.ts';
import { type PastedIds, readIds, sentenceIn } from '../../digest/read-ids.ts';
import { cut } from '../../scrub/cut.ts';
import { shownDigest } from './find-by-name.ts';
import { type FindFields, readFields } from './find-fields.ts';
import { type FindTerms, hasFields, readTerms } from './find-terms.ts';

/** A text with all ways to read it. */
export interface ReadQuery {
  readonly query: string;
  readonly terms: FindTerms;
  /** Digests, references and event ids. */
  readonly names: readonly Candidate[];
  readonly ids: PastedIds;
  /** Null for a text without such fields. */
  readonly fields: FindFields | null;
  /** Source of the error page whose sentence it is, without an id; null for another text. */
  readonly sentence: 'client' | 'server' | null;
  /** The ways in their order. */
  readonly readings: readonly ReadText[];
}

/** A single word. It could be the beginning of a digest, but it is meant as text. */
export const WORD = /^\s*\p{L}?\p{Ll}+\s*$/u;
/** Symbols and event ids, which are candidates by themselves. */
const OTHER_FORM = /^[\da-z]{4}-?[\da-z]{3,4}$|^[\da-f-]{32,36}$/i;
/** Characters of a value that an answer repeats. */
const MAX_VALUE_LENGTH = 200;
/** Without the last one it is still likely meant as a digest. */
const MIN_SYMBOLS = DIGEST_SYMBOLS - 1;

/** Reads a text to find in all ways. */
export function readQuery(pasted: string, nowMs: number): ReadQuery {
  const query = withQuotes(pasted);
  const terms = readTerms(query, nowMs);
  const names = readBack(query);
  const ids = readIds(query);
  const isNamed = names.length + ids.certain.length > 0;
  const sentence = isNamed ? null : sentenceIn(query);
  const read = { query, terms, names, ids, fields: readFields(query, nowMs), sentence };
  return { ...read, readings: readingsOf(read) };
}

/** Decodes what an address bar has encoded, with the quotation marks of a search: `%22cart%20is%22`. */
function withQuotes(pasted: string): string {
  if (!/%22.*%22/s.test(pasted)) return pasted;
  try {
    return decodeURIComponent(pasted);
  } catch {
    return pasted.replaceAll('%22', '"');
  }
}

/** Returns the symbols of a digest or a reference; at most the last one may be missing. */
export function symbolsOf(candidate: Candidate): string | null {
  return candidate.kind === 'symbols' && candidate.symbols.length >= MIN_SYMBOLS ? candidate.symbols : null;
}

function readingsOf({
  query,
  terms,
  names,
  ids,
  fields,
  sentence,
}: Omit<ReadQuery, 'readings'>): readonly ReadText[] {
  const text = query.trim();
  if (fields !== null) return withText([...fields.ids, ...terms.filters], text);
  if (hasFields(terms)) return withText(terms.filters, terms.rest);
  const named = names.flatMap(namedBy);
  if (WORD.test(query)) return distinct([{ as: 'text', value: text }, ...named]);
  const all = [...named, ...ids.certain, ...ids.words];
  if (sentence !== null) return distinct([...all, { as: `${sentence}_sentence`, value: text }]);
  return withText(all, text);
}

function withText(readings: readonly ReadText[], text: string): readonly ReadText[] {
  if (text !== '') return distinct([...readings, { as: 'text', value: text }]);
  return readings.length > 0 ? distinct(readings) : [{ as: 'nothing', value: text }];
}

function distinct(readings: readonly ReadText[]): readonly ReadText[] {
  const short = readings.map(({ as, value }) => ({ as, value: cut(value, MAX_VALUE_LENGTH) }));
  return [...new Map(short.map((reading) => [`${reading.as} ${reading.value}`, reading])).values()];
}

/** A short part of a digest, and a word that may be an error's own digest, are tried without being named. */
function namedBy(candidate: Candidate): readonly ReadText[] {
  if (candidate.kind === 'key') return [{ as: 'digest', value: candidate.key }];
  if (candidate.kind === 'event_id') return [{ as: 'event_id', value: candidate.eventId }];
  if (candidate.kind === 'exact') {
    const isShown = isCode(candidate.digest) && !OTHER_FORM.test(candidate.digest);
    return isShown ? [{ as: 'digest', value: candidate.digest }] : [];
  }
  const symbols = symbolsOf(candidate);
  if (symbols === null) return [];
  const digest: ReadText = { as: 'digest', value: shownDigest(symbols) };
  return symbols.length === DIGEST_SYMBOLS ? [digest, { ...digest, as: 'reference' }] : [digest];
}
