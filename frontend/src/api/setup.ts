import { CONSOLE_SETUP_PATH, type Setup } from '@errata/backend/contract/setup-api.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { newEventId } from '../reporting/event-id.ts';
import { basePath } from './base-path.ts';
import { SETUP } from './keys.ts';
import { requestJson } from './request.ts';

/** Loads the values that connect an application. They change only with a restart of the server. */
export function useSetup() {
  return useQuery({
    queryKey: [SETUP],
    queryFn: ({ signal }) => requestJson<Setup>(CONSOLE_SETUP_PATH, { signal }),
  });
}

interface TestError {
  readonly dsn: string;
  /** Path of the tunnel, with the base path. */
  readonly tunnel: string;
  readonly message: string;
}

/** Returns the envelope of an error as the SDK for browsers writes it. */
function envelopeOf({ dsn, message }: TestError): string {
  const event = {
    platform: 'javascript',
    exception: { values: [{ type: 'Error', value: message }] },
    request: { url: window.location.href, headers: { 'User-Agent': navigator.userAgent } },
  };
  const header = { event_id: newEventId(), dsn };
  return [header, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n');
}

/** Sends an error from this page through the tunnel, as an application does. */
export function useSendTestError() {
  return useMutation({
    mutationFn: (error: TestError) =>
      requestJson<unknown>(error.tunnel.slice(basePath.length), { method: 'POST', text: envelopeOf(error) }),
  });
}
