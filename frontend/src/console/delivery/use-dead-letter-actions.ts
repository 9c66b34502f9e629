import type { DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { useState } from 'react';
import { useDeadLetterAction } from '../../api/delivery.ts';
import { counted } from '../../ui/format/count.ts';
import { errorText } from '../shared/error-text.ts';
import type { Choice } from './use-choice.ts';

export interface DeadLetterActions {
  /** Of what is ticked, those that can be sent. */
  readonly sendable: readonly string[];
  readonly isBusy: boolean;
  /** What came of the last one, in words; empty before. */
  readonly result: string;
  readonly redrive: () => void;
  readonly discard: (onEnd: () => void) => void;
}

export function letterCount(count: number): string {
  return counted(count, 'dead letter', 'dead letters');
}

/** What came of it: some may be gone meanwhile, or their upstream with the settings. */
function resultText(done: number, asked: number, verb: string): string {
  const left = asked - done;
  const rest = left > 0 ? ` ${letterCount(left)} failed: already removed, or without an upstream.` : '';
  return `${letterCount(done)} ${verb}.${rest}`;
}

/** What can be done with what is ticked, and what came of it. */
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
