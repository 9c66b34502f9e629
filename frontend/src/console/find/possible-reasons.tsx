import type { FindHint } from '@errata/backend/contract/find-api.ts';
import type { ReactNode } from 'react';
import { Facts } from '../../ui/facts.tsx';
import { Button } from '../../ui/form/button.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { DELIVERY_PATH } from '../shared/paths.ts';
import { rejectedPeriod, rejectedTotal, rejectionLabel } from '../shared/rejection-labels.ts';
import styles from './find-page.module.css';

function retention({ retentionDays, oldestStored }: FindHint): ReactNode {
  return (
    <>
      {counted(retentionDays, 'day', 'days')}{' '}
      {oldestStored === null ? (
        '(no events stored)'
      ) : (
        <>
          (oldest event: <TimeText time={oldestStored} form="absolute" />)
        </>
      )}
    </>
  );
}

function rejections(rejected: FindHint['rejected']): ReactNode {
  const total = rejectedTotal(rejected);
  if (total === 0) return 'none';
  const reasons = rejected.map(({ reason, count }) => `${rejectionLabel(reason)} ${formatCount(count)}`);
  return <Link to={DELIVERY_PATH}>{`${formatCount(total)} (${reasons.join(', ')})`}</Link>;
}

interface PossibleReasonsProps {
  readonly hint: FindHint;
  readonly onRetry: () => void;
}

/** Shows the counters that explain a missing event. */
export function PossibleReasons({ hint, onRetry }: PossibleReasonsProps) {
  const { deleted, rejected, rejectedSince, queued } = hint;
  return (
    <div className={styles.known}>
      <Facts
        facts={[
          ['Retention', retention(hint)],
          ['Deleted', counted(deleted, 'event', 'events')],
          [`Rejected ${rejectedPeriod(rejectedSince)}`, rejections(rejected)],
          ['Queued for storage', queued === null ? null : counted(queued, 'envelope', 'envelopes')],
        ]}
      />
      {/* The searched event may be in the queue. */}
      {queued !== null && queued > 0 && <Button onClick={onRetry}>Check again</Button>}
    </div>
  );
}
