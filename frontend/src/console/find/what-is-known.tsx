import type { FindHint } from '@errata/backend/contract/find-api.ts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/form/button.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import { Facts } from '../../ui/facts.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { refusalWords, refusedTotal } from '../shared/refusal-labels.ts';
import styles from './what-is-known.module.css';

function retention({ retentionDays, oldestKept }: FindHint): ReactNode {
  return (
    <>
      {counted(retentionDays, 'day', 'days')};{' '}
      {oldestKept === null ? (
        'nothing is kept at the moment'
      ) : (
        <>
          the oldest is of <TimeText time={oldestKept} form="absolute" />
        </>
      )}
    </>
  );
}

function refusals(refused: FindHint['refused']): string {
  const total = refusedTotal(refused);
  if (total === 0) return 'none in the last 24 hours';
  const reasons = refused.map(({ reason, count }) => `${refusalWords(reason)} ${formatCount(count)}`);
  return `${formatCount(total)} in the last 24 hours: ${reasons.join(', ')}`;
}

interface WhatIsKnownProps {
  readonly hint: FindHint;
  readonly onRetry: () => void;
}

/** The counters that tell why an id that was once shown can be missing here. */
export function WhatIsKnown({ hint, onRetry }: WhatIsKnownProps) {
  const { deleted, refused, waiting } = hint;
  return (
    <div className={styles.known}>
      <Facts
        facts={[
          ['Kept', retention(hint)],
          ['Deleted', counted(deleted, 'event so far', 'events so far')],
          ['Turned away', refusals(refused)],
          ['Waiting', waiting === null ? null : `${counted(waiting, 'envelope', 'envelopes')} to be stored`],
        ]}
      />
      {/* What is asked for may be among them. */}
      {waiting !== null && waiting > 0 && <Button onClick={onRetry}>Look again</Button>}
    </div>
  );
}
