import { CONSOLE_TREND_PATH, type Trend } from '@errata/backend/contract/trend-api.ts';
import { useQuery } from '@tanstack/react-query';
import { TREND } from './keys.ts';
import { requestJson, withParameter } from './request.ts';

/** Loads the events of the last 14 days. @param project canonical DSN, or '' for all. */
export function useTrend(project: string) {
  return useQuery({
    queryKey: [TREND, project],
    queryFn: ({ signal }) =>
      requestJson<Trend>(withParameter(CONSOLE_TREND_PATH, 'project', project || null), { signal }),
  });
}
