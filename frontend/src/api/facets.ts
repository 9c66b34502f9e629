import type { IssueFacets } from '@errata/backend/contract/facets-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { issuePath } from './find.ts';
import { ISSUE_FACETS } from './keys.ts';
import { requestJson, withParameter } from './request.ts';

/** Loads the distribution of the events of an issue, or of those that match a search. One event has none. */
export function useFacets({ address, project, isShared, events }: IssueAnswer, q: string) {
  const path = withParameter(issuePath(address, isShared ? project : null, '/facets'), 'q', q || null);
  return useQuery({
    queryKey: [ISSUE_FACETS, address, project, q],
    queryFn: ({ signal }) => requestJson<IssueFacets>(path, { signal }),
    enabled: events > 1,
    placeholderData: keepPreviousData,
  });
}
