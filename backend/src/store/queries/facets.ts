import type { IssueFacets } from '../../contract/facets-api.ts';
import type { EventFilters } from '../../contract/event-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import { changesOf } from './issue-changes.ts';
import { eventTermsOf, scanEvents, searchedBy } from './event-scan.ts';
import type { EventTerms } from './event-terms.ts';
import { facetsOf } from './facet-counts.ts';
import { oneIssue } from './find-by-name.ts';

/** Events that are counted: 4 ms, and enough for what is the case now. */
const MAX_COUNTED = 1_000;
const ALL: EventTerms = { facts: [], without: [], spans: [] };

/** Counts the newest events of the issue that a text names, or those that match; undefined where it names no single issue. */
export async function issueFacets(
  context: QueryContext,
  digest: string,
  { project = null, q = null }: EventFilters = {},
): Promise<Omit<IssueFacets, 'unknownWords'> | undefined> {
  const issue = await oneIssue(context.db, digest, project);
  if (issue === undefined) return undefined;
  const terms = await eventTermsOf(context, issue.id, q);
  const scan = { issueId: issue.id, terms: terms ?? ALL, position: null, wanted: MAX_COUNTED + 1 };
  const scanned = await scanEvents(context, scan);
  const events = scanned.found.slice(0, MAX_COUNTED);
  const last = scanned.found.length > MAX_COUNTED ? events.at(-1) : undefined;
  return {
    of: events.length,
    searched: searchedBy(scanned, last).searched,
    facets: facetsOf(events),
    changed: (q ?? '').trim() === '' ? await changesOf(context, issue, events) : [],
  };
}
