import type { LostEvent } from '@errata/backend/contract/find-api.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/form/button.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { DELIVERY_PATH } from '../shared/paths.ts';
import { reasonWords } from '../shared/reason-labels.ts';

interface LostEventNoticeProps {
  readonly event: LostEvent;
  readonly onRetry: () => void;
}

const FATES: Readonly<Record<LostEvent['fate'], ReactNode>> = {
  waiting: 'This very event is here and waits to be stored.',
  dead_lettered: 'This very event came, and could not be stored: it is a dead letter.',
  expired: 'This very event came, and grew too old while it waited.',
  shed: 'This very event came, and was let go of to make room for others.',
};

/** The spool knows the event although the store has it not: the one sure answer. */
export function LostEventNotice({ event: { fate, reason, time }, onRetry }: LostEventNoticeProps) {
  return (
    <>
      <p>
        <strong>{FATES[fate]}</strong> Since <TimeText time={time} form="absolute" />
        {reason !== '' && `: ${reasonWords(reason)}`}.
      </p>
      {fate === 'waiting' && <Button onClick={onRetry}>Look again</Button>}
      {fate === 'dead_lettered' && (
        <p>
          It is not lost: <Link to={DELIVERY_PATH}>send it again under Delivery</Link>.
        </p>
      )}
    </>
  );
}
