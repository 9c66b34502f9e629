import type { DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { useSearchParams } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { useDeadLetter } from '../../api/delivery.ts';

export interface AskedLetter {
  readonly id: string | null;
  readonly letter: DeadLetterSummary | undefined;
  /** Sent again or discarded since the address was made. */
  readonly isGone: boolean;
  /** Of another process than the one that answers now. */
  readonly isElsewhere: boolean;
}

/** The dead letter the address names, wherever in the list it is. */
export function useAskedLetter(): AskedLetter {
  const [parameters] = useSearchParams();
  const id = parameters.get('letter');
  const { data, error } = useDeadLetter(id);
  const isGone = hasStatus(error, 404);
  const isElsewhere = hasStatus(error, 409);
  return { id, letter: isGone || isElsewhere ? undefined : data, isGone, isElsewhere };
}
