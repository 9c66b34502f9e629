import { FIND_FILTERS } from '../../contract/find-api.ts';
import { type IdCandidate, readIds } from '../../digest/read-ids.ts';
import type { FactLists } from '../event/fact-forms.ts';
import { readTerms } from './find-terms.ts';

/** A search for events by several fields. */
export interface FindFields {
  /** Those of `server:`, `environment:` and names of tags. */
  readonly ids: readonly [IdCandidate, ...IdCandidate[]];
  readonly facts: FactLists;
}

/** Each one is compared with each id of each event that a search reads. */
const MAX_FIELDS = 10;
/** `server:web-1`, `plan:"gold plus"`; a value with slashes is that of a URL. */
const FIELD = /(?<!\S)([\p{L}_][\w.-]*):(?!\/)(?:"[^"]+"|[^\s"]+)(?!\S)/gu;

/**
 * Reads `server:web-1 user:ann`: fields alone, and at least one that is no filter. Returns null for any other text: without a
 * filter only `server:` and `environment:` are fields, because header and log lines have other names.
 */
export function readFields(query: string): FindFields | null {
  const ids: IdCandidate[] = [];
  const others = query.replace(FIELD, (field, name: string) => {
    const [id] = FIND_FILTERS.some((filter) => filter === name.toLowerCase()) ? [] : readIds(field).certain;
    if (id === undefined) return field;
    ids.push(id);
    return '';
  });
  const { facts, texts } = readTerms(others);
  const [first, ...rest] = ids;
  const isOfPlaces = rest.length > 0 && ids.every(({ as }) => as === 'server' || as === 'environment');
  const isSearch = texts.length === 0 && (facts.length > 0 || isOfPlaces) && rest.length < MAX_FIELDS;
  return first !== undefined && isSearch ? { ids: [first, ...rest], facts } : null;
}
