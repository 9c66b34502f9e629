import type { SearchedEvents } from './event-api.ts';
import type { UnknownWords } from './search-api.ts';

/** How the events of an issue are distributed, and what is different about it. */

/** Response of `GET /console/api/issues/:digest/facets?q=&project=`. */
export interface IssueFacets {
  /** Number of events that were counted, at most the newest 1,000 that match: the base of each share. */
  readonly of: number;
  readonly searched: SearchedEvents;
  /**
   * Release, browser without its version, environment and server, then at most five tags, the one that is set most often first.
   * One that no event has is left out.
   */
  readonly facets: readonly Facet[];
  /** Empty with a search. */
  readonly changed: readonly Change[];
  /** Set when the search holds words that no event has. They are not searched. */
  readonly unknownWords?: UnknownWords;
}

export interface Facet {
  /** `release`, `browser`, `environment`, `server`, or `tag:` and a name. */
  readonly field: string;
  /** Those of most events first, at most ten. */
  readonly values: readonly FacetValue[];
  /** Events with other values. */
  readonly others: number;
}

export interface FacetValue {
  /** Null: the events have none. */
  readonly value: string | null;
  readonly events: number;
  /**
   * The term of a search that finds these events; with a minus before it, the others. That of a version alone also finds
   * `shop@1.4.2`. Null where no term does.
   */
  readonly term: string | null;
}

/**
 * A part of what is different, in this order. `new`: its first release was first seen within a day before it, or an hour
 * after it, and is not the first of the project. `burst`: this hour, or the last whole one, has at least 20 events, and so
 * many times the mean of the week before; not within 24 hours of its first event. `only`: all of at least 20 events have it,
 * and three other issues of the project had another one within a day. At most three of these. Of `url` it is the route, such
 * as `/products/<n>`; left out where another issue with the same title, seen within a day, has another one.
 */
export type Change =
  | { readonly kind: 'new'; readonly release: string }
  | { readonly kind: 'burst'; readonly times: number }
  | {
      readonly kind: 'only';
      readonly field: string;
      readonly value: string;
      readonly term: string | null;
    };
