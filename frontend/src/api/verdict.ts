import { CONSOLE_DELIVERY_PATH, type DeliveryVerdict } from '@errata/backend/contract/delivery-api.ts';
import { useQuery } from '@tanstack/react-query';
import { DELIVERY } from './keys.ts';
import { requestJson } from './request.ts';
import { useSession } from './session.ts';

/** An outage is no surprise to the second for readers of other pages. */
const VERDICT_MS = 30_000;

/** Polls the verdict of a signed-in user while the page is visible; undefined after an error. @param isAsked false asks nothing. */
export function useVerdict(isAsked: boolean): DeliveryVerdict | undefined {
  const isSignedIn = useSession().data?.signedIn === true;
  const { data, isError } = useQuery({
    queryKey: [DELIVERY, 'verdict'],
    queryFn: ({ signal }) => requestJson<DeliveryVerdict>(`${CONSOLE_DELIVERY_PATH}/verdict`, { signal }),
    refetchInterval: VERDICT_MS,
    enabled: isAsked && isSignedIn,
  });
  return isAsked && isSignedIn && !isError ? data : undefined;
}
