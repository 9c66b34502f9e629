import type { DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { useState } from 'react';
import { useDeadLetterAction } from '../../api/delivery.ts';
import { counted } from '../../ui/format/count.ts';
import { errorText } from '../shared/error-text.ts';
import type { Choice } from './use-choice.ts';

export interface DeadLetterActions {
  /** Selected dead letters that can be sent again. */
  readonly sendable: readonly string[];
  readonly isBusy: boolean;
  /** Result of the last action; empty before. */
  readonly result: string;
  readonly redrive: () => void;
  readonly discard: (onEnd: () => void) => void;
}

export function letterCount(count: number): string {
  return counted(count, 'dead letter', 'dead letters');
}

/** Describes the result; some dead letters may be removed meanwhile, or their upstream is no longer configured. */
function resultText(done: number, asked: number, verb: string): string {
  const left = asked - done;
  const rest = left > 0 ? ` ${letterCount(left)} failed: already removed, or without an upstream.` : '';
  return `${letterCount(done)} ${verb}.${rest}`;
}

/** Returns the actions on the selected dead letters, and their result. */
export function useDeadLetterActions(
  letters: readonly DeadLetterSummary[],
  choice: Choice,
): DeadLetterActions {
  const redrive = useDeadLetterAction('redrive');
  const discard = useDeadLetterAction('discard');
  const [result, setResult] = useState('');
  const sendable = letters
    .filter(({ id, canRedrive }) => canRedrive && choice.ids.has(id))
    .map(({ id }) => id);

  const run = (action: typeof redrive, ids: readonly string[], verb: string, onEnd?: () => void) => {
    setResult('');
    action.mutate(
      { ids },
      {
        onSuccess: ({ done }) => {
          choice.clear();
          setResult(resultText(done, ids.length, verb));
        },
        onError: (error) => setResult(errorText(error)),
        onSettled: onEnd,
      },
    );
  };

  return {
    sendable,
    isBusy: redrive.isPending || discard.isPending,
    result,
    redrive: () => run(redrive, sendable, 'sent again'),
    discard: (onEnd) => run(discard, [...choice.ids], 'discarded', onEnd),
  };
}
