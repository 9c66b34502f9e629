import {
  type AlertState,
  type AlertTestResult,
  CONSOLE_ALERTS_PATH,
} from '@errata/backend/contract/alerts-api.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ALERTS, invalidate } from './keys.ts';
import { requestJson } from './request.ts';

/** A message is sent within seconds, and its retries wait longer each time. */
const REFRESH_MS = 10_000;

/** Polls the targets of alerts while the page is visible. */
export function useAlerts() {
  return useQuery({
    queryKey: [ALERTS],
    queryFn: ({ signal }) => requestJson<AlertState>(CONSOLE_ALERTS_PATH, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** Sends a test message to a target. */
export function useTestAlert(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      requestJson<AlertTestResult>(`${CONSOLE_ALERTS_PATH}/${encodeURIComponent(id)}/test`, {
        method: 'POST',
      }),
    onSettled: () => invalidate(client, ALERTS),
  });
}
