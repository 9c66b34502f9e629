import { FIND_FIELDS } from '../../contract/find-api.ts';
import { type IdCandidate, readIds } from '../../digest/read-ids.ts';
import type { EventTerms } from './event-terms.ts';
import { MAX_FIELDS } from '../search/search-terms.ts';
import { type FindTerms, hasFields, readTerms } from './find-terms.ts';

/** A search for events by several fields. */
export interface FindFields {
  /** Those of names that are no field: tags, headers. */
  readonly ids: readonly [IdCandidate, ...IdCandidate[]];
  readonly terms: EventTerms;
}

/** `order:4711-AB`, `plan:"gold plus"`; a value with slashes is that of a URL. */
const FIELD = /(?<!\S)([\p{L}_][\w.-]*):(?!\/)(?:"[^"]+"|[^\s"]+)(?!\S)/gu;

/**
 * Reads `order:4711-AB user:ann`: fields alone, at least one that is known and one that is not. Returns null for any other text:
 * header and log lines have other names.
 */
export function readFields(query: string, nowMs: number): FindFields | null {
  const ids: IdCandidate[] = [];
  const others = query.replace(FIELD, (field, name: string) => {
    const [id] = FIND_FIELDS.some((known) => known === name.toLowerCase()) ? [] : readIds(field).certain;
    if (id === undefined) return field;
    ids.push(id);
    return '';
  });
  const terms = readTerms(others, nowMs);
  const [first, ...rest] = ids;
  return first !== undefined && isOfEvents(terms) && rest.length < MAX_FIELDS
    ? { ids: [first, ...rest], terms }
    : null;
}

/** An event has neither the status nor the text of an issue. */
function isOfEvents(terms: FindTerms): boolean {
  return hasFields(terms) && terms.states.length + terms.texts.length + terms.withoutTexts.length === 0;
}
