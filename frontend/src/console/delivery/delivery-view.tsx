import type { DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { DeliveryDiscards } from './delivery-discards.tsx';
import { DeliveryLedger } from './delivery-ledger.tsx';
import { DeliverySinks } from './delivery-sinks.tsx';
import { DeliverySpool } from './delivery-spool.tsx';
import styles from './delivery-view.module.css';
import { ProblemNotice } from '../shared/problem-notice.tsx';

interface DeliveryViewProps {
  readonly state: DeliveryState | undefined;
  /** Of the last answer; it stands while the next is on its way. */
  readonly error: Error | null;
  /** When the server said so, ms since 1970. */
  readonly asOfMs: number;
  readonly onRetry: () => void;
}

function Parts({ state }: { readonly state: DeliveryState }) {
  return (
    <>
      <DeliveryLedger state={state} />
      <div className={styles.pair}>
        <DeliverySinks sinks={state.sinks} />
        <DeliverySpool state={state} />
      </div>
      <DeadLetters count={state.deadLetters} />
      <DeliveryDiscards discards={state.discards} />
    </>
  );
}

/** Figures that grow old stay in sight: the last known state is worth more than an empty page. */
export function DeliveryView({ state, error, asOfMs, onRetry }: DeliveryViewProps) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className={styles.title}>Delivery</h1>
        {state !== undefined && (
          <p className={styles.time}>
            {state.process !== null && `of ${state.process}, `}as of{' '}
            <TimeText time={new Date(asOfMs).toISOString()} form="clock" />
          </p>
        )}
      </div>
      {error !== null && <ProblemNotice what="The newest figures" error={error} onRetry={onRetry} />}
      {state !== undefined && <Parts state={state} />}
      {state === undefined && error === null && (
        <div className={styles.waiting}>
          <Skeleton label="Loading the figures" lines={5} />
          <Skeleton label="Loading the upstreams" lines={4} />
        </div>
      )}
    </div>
  );
}
