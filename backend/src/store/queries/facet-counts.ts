import type { Facet, FacetValue } from '../../contract/facets-api.ts';
import { searchTerm } from '../../contract/search-term.ts';
import { tagsIn, tagText } from '../event/event-tags.ts';
import { searchText } from '../event/fact-forms.ts';
import type { Candidate } from './event-terms.ts';

/** Tags that are set most often. */
const MAX_TAGS = 5;
const MAX_VALUES = 10;
const TAG_FIELD = 'tag:';

/** What is read of an event. */
export type FacetEvent = Pick<Candidate, 'release' | 'browser' | 'environment' | 'server' | 'tags'>;

/** Counts the values of each field. The search ignores the case of most, and so do these counts. */
export function facetsOf(events: readonly FacetEvent[]): readonly Facet[] {
  const tags = events.map(({ tags: column }) => new Map(tagsIn(column)));
  const set = new Map<string, number>();
  for (const names of tags) for (const name of names.keys()) set.set(name, (set.get(name) ?? 0) + 1);
  const names = [...set].toSorted(bySize).slice(0, MAX_TAGS);
  return [
    facetOf(
      'release',
      events.map(({ release }) => release),
    ),
    facetOf(
      'browser',
      events.map(({ browser }) => browserName(browser)),
    ),
    facetOf(
      'environment',
      events.map(({ environment }) => environment),
    ),
    facetOf(
      'server',
      events.map(({ server }) => server),
    ),
    ...names.map(([name]) =>
      facetOf(
        TAG_FIELD + name,
        tags.map((each) => each.get(name) ?? null),
      ),
    ),
  ].filter(({ values }) => values.some(({ value }) => value !== null));
}

/** Returns a browser without its version and system: `Chrome` of `Chrome 156 on Linux`. */
export function browserName(label: string | null): string | null {
  return label?.replace(/(?: [\d.]+)?(?: on .*)?$/, '') ?? null;
}

/** @param values one of each event, the newest first. */
function facetOf(field: string, values: readonly (string | null)[]): Facet {
  const counts = new Map<string | null, number>();
  const shown = new Map<string | null, string | null>();
  for (const value of values) {
    const form = value === null || field === 'release' ? value : searchText(value);
    if (!shown.has(form)) shown.set(form, value);
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const counted = [...counts].toSorted(bySize).slice(0, MAX_VALUES);
  const listed = counted.map(([form, events]): FacetValue => {
    const value = shown.get(form) ?? null;
    return { value, events, term: value === null ? null : termOf(field, value) };
  });
  return {
    field,
    values: listed,
    others: values.length - listed.reduce((sum, { events }) => sum + events, 0),
  };
}

/** Returns the term of a search for a value of a field or a tag; null for one that cannot be quoted. */
export function termOf(field: string, value: string): string | null {
  return field.startsWith(TAG_FIELD)
    ? searchTerm('tag', tagText([field.slice(TAG_FIELD.length), value]))
    : searchTerm(field, value);
}

/** Orders by number, then by the place of the newest. */
function bySize(one: readonly [unknown, number], other: readonly [unknown, number]): number {
  return other[1] - one[1];
}
