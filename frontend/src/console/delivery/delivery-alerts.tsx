import type { AlertTargetState, AlertTestResult } from '@errata/backend/contract/alerts-api.ts';
import { useAlerts, useTestAlert } from '../../api/alerts.ts';
import { useIsOperator, useSession } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Button } from '../../ui/form/button.tsx';
import { formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { ActionResult } from '../shared/action-result.tsx';
import { errorText } from '../shared/error-text.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { alertReason, filterText } from './alert-labels.ts';
import styles from './delivery-page.module.css';

function TargetState({ target: { failing, lastSent } }: { readonly target: AlertTargetState }) {
  if (failing !== null) {
    return (
      <Badge icon="alert" tone="bad">
        Failing
      </Badge>
    );
  }
  if (lastSent === null) return <Badge>No message yet</Badge>;
  return (
    <Badge icon="done" tone="good">
      Healthy
    </Badge>
  );
}

function resultText({ outcome, reason, detail }: AlertTestResult): string {
  const result =
    outcome === 'accepted'
      ? 'The test message was accepted.'
      : `Not accepted: ${alertReason(reason ?? 'unknown')}.`;
  return detail === null ? result : `${result} Response: ${detail}`;
}

/** Sends a test message; for operators. */
function Test({ target: { id, name } }: { readonly target: AlertTargetState }) {
  const isOperator = useIsOperator();
  const { mutate, isPending, data, error } = useTestAlert(id);
  const result = data === undefined || isPending ? '' : resultText(data);
  return (
    <div className={styles.retry}>
      <Button disabled={!isOperator || isPending} onClick={() => mutate()}>
        {isPending ? 'Testing…' : 'Test'}
        <VisuallyHidden> {name}</VisuallyHidden>
      </Button>
      <ActionResult text={error === null ? result : errorText(error)} />
    </div>
  );
}

function Target({ target }: { readonly target: AlertTargetState }) {
  const { name, filter, waiting, lastSent, failing } = target;
  return (
    <li className={styles.sink}>
      <div className={styles.sinkHead}>
        <h3 className={styles.name}>{name}</h3>
        <TargetState target={target} />
      </div>
      <Facts
        facts={[
          ['Filter', filterText(filter)],
          ['Queued', formatCount(waiting)],
          ['Last message', lastSent === null ? null : <TimeText key="last" time={lastSent} />],
          [
            'Reason',
            failing === null ? null : <span title={failing.reason}>{alertReason(failing.reason)}</span>,
          ],
          ['Since', failing === null ? null : <TimeText key="since" time={failing.since} form="absolute" />],
          ['Attempts', failing === null ? null : formatCount(failing.attempts)],
        ]}
      />
      <Test target={target} />
    </li>
  );
}

/** Lists the targets of alerts and their state, with a test of each. */
export function DeliveryAlerts() {
  const isSupport = useSession().data?.role === 'support';
  const { data, error, refetch } = useAlerts();
  return (
    <Section title="Alerts">
      {error !== null && <ProblemNotice what="The alerts" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label="Loading the alerts" lines={3} />}
      {data?.targets.length === 0 && (
        <p className={styles.meaning}>
          No target. <code>ERRATA_ALERTS</code> names those that get a message about new and regressed errors.
        </p>
      )}
      {data?.hasLinks === false && data.targets.length > 0 && (
        <p className={styles.meaning}>
          Messages have no links, because <code>ERRATA_PUBLIC_URL</code> is not set.
        </p>
      )}
      {isSupport && data !== undefined && data.targets.length > 0 && (
        <p className={styles.meaning}>Only operators can send a test message.</p>
      )}
      <ul className={styles.sinks}>
        {data?.targets.map((target) => (
          <Target key={target.id} target={target} />
        ))}
      </ul>
    </Section>
  );
}
