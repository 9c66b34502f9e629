import type { DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { useSearchParams } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { useDeadLetter } from '../../api/delivery.ts';

export interface AskedLetter {
  readonly id: number | null;
  readonly letter: DeadLetterSummary | undefined;
  /** Sent again or discarded since the address was made. */
  readonly isGone: boolean;
}

/** The dead letter the address names, wherever in the list it is. */
export function useAskedLetter(): AskedLetter {
  const [parameters] = useSearchParams();
  const text = parameters.get('letter') ?? '';
  const id = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const { data, error } = useDeadLetter(id);
  const isGone = hasStatus(error, 404);
  return { id, letter: isGone ? undefined : data, isGone };
}
