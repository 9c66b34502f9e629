import type { DeliveryState, DroppedItems } from '@errata/backend/contract/delivery-api.ts';
import { lazy, Suspense } from 'react';
import { useDelivery } from '../../api/delivery.ts';
import { formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SETUP_PATH } from '../shared/paths.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { reasonLabel } from '../shared/reason-labels.ts';
import { usePageTitle } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { DeliveryAlerts } from './delivery-alerts.tsx';
import { categoryLabel } from './delivery-labels.ts';
import { DeliveryHistory } from './delivery-history.tsx';
import { DeliveryLedger } from './delivery-ledger.tsx';
import styles from './delivery-page.module.css';
import { DeliverySinks } from './delivery-sinks.tsx';
import { DeliverySpool } from './delivery-spool.tsx';
import { RejectedDsns } from './rejected-dsns.tsx';
import { StrandedDsns } from './stranded-dsns.tsx';

/** In a chunk of its own: there is a policy only for the client of another team. */
const DeliveryPolicy = lazy(async () => ({
  default: (await import('./delivery-policy.tsx')).DeliveryPolicy,
}));

/** Lists dropped items, as the client reports to the upstreams count them. */
function DroppedItemsTable({ items }: { readonly items: readonly DroppedItems[] }) {
  const sorted = items.toSorted((one, other) => other.quantity - one.quantity);
  return (
    <Section title="Dropped items">
      <div className={styles.tableBox}>
        {sorted.length === 0 ? (
          <p className={styles.none}>None</p>
        ) : (
          <table className={styles.table}>
            <caption className={styles.caption}>
              By reason and type, since the spool was created. Reported upstream as client reports.
            </caption>
            <thead>
              <tr>
                <th scope="col">Reason</th>
                <th scope="col">Type</th>
                <th scope="col" className={styles.number}>
                  Items
                </th>
              </tr>
            </thead>
            <tbody>
              {sorted.map(({ reason, category, quantity }) => (
                <tr key={`${reason}/${category}`}>
                  <th scope="row" title={reason}>
                    {reasonLabel(reason)}
                  </th>
                  <td>{categoryLabel(category)}</td>
                  <td className={styles.number}>{formatCount(quantity)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Section>
  );
}

interface DeliveryViewProps {
  readonly state: DeliveryState | undefined;
  /** Error of the last answer; kept while the next request is open. */
  readonly error: Error | null;
  /** Time of the answer, ms since 1970. */
  readonly asOfMs: number;
  readonly onRetry: () => void;
}

function Parts({ state, asOfMs }: { readonly state: DeliveryState; readonly asOfMs: number }) {
  return (
    <>
      <DeliveryLedger state={state} asOfMs={asOfMs} />
      <StrandedDsns stranded={state.stranded} />
      <DeliveryHistory history={state.history} />
      <div className={styles.pair}>
        <DeliverySinks sinks={state.sinks} />
        <DeliverySpool state={state} />
      </div>
      <DeliveryAlerts />
      <DeadLetters count={state.deadLetters} />
      <RejectedDsns
        rows={state.rejectedDsns}
        alternative={<Link to={SETUP_PATH}>give it a DSN of this server</Link>}
      />
      <DroppedItemsTable items={state.droppedItems} />
      <Suspense>
        {state.policy !== null && <DeliveryPolicy findings={state.policy} leftOut={state.policyLeftOut} />}
      </Suspense>
    </>
  );
}

/** Keeps showing the last figures after an error: they are worth more than an empty page. */
function DeliveryView({ state, error, asOfMs, onRetry }: DeliveryViewProps) {
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
      {error !== null && <ProblemNotice what="The delivery figures" error={error} onRetry={onRetry} />}
      {state !== undefined && <Parts state={state} asOfMs={asOfMs} />}
      {state === undefined && error === null && (
        <div className={styles.waiting}>
          <Skeleton label="Loading the figures" lines={5} />
          <Skeleton label="Loading the upstreams" lines={4} />
        </div>
      )}
    </div>
  );
}

function Delivery() {
  const { data, failure, dataUpdatedAt, refetch } = useDelivery();
  return <DeliveryView state={data} error={failure} asOfMs={dataUpdatedAt} onRetry={() => void refetch()} />;
}

/** Shows accepted envelopes and their delivery. */
export function DeliveryPage() {
  usePageTitle('Delivery');
  return (
    <SessionGate asked={null}>
      <Delivery />
    </SessionGate>
  );
}
