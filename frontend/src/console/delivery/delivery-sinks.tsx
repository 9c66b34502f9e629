import type { DsnRejections, SinkDetail } from '@errata/backend/contract/delivery-api.ts';
import { useRetry } from '../../api/delivery.ts';
import { useIsOperator } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Button } from '../../ui/form/button.tsx';
import { formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Section } from '../../ui/section.tsx';
import { ActionResult } from '../shared/action-result.tsx';
import { errorText } from '../shared/error-text.ts';
import { capitalized, reasonLabel } from '../shared/reason-labels.ts';
import { categoryLabel } from './delivery-labels.ts';
import styles from './delivery-page.module.css';

interface Look {
  readonly icon: IconName;
  readonly tone: 'good' | 'warn' | 'bad';
  readonly word: string;
}

const LOOKS: Readonly<Record<SinkDetail['state'], Look>> = {
  flowing: { icon: 'done', tone: 'good', word: 'Healthy' },
  failing: { icon: 'alert', tone: 'warn', word: 'Retrying' },
  paused: { icon: 'pause', tone: 'bad', word: 'Paused' },
};
const LIMITED: Look = { icon: 'waiting', tone: 'warn', word: 'Rate-limited' };

function lookOf({ state, since, limits }: SinkDetail): Look {
  if (state !== 'flowing') return LOOKS[state];
  if (since !== undefined) return LOOKS.failing;
  return limits.length > 0 ? LIMITED : LOOKS.flowing;
}

function SinkState({ sink }: { readonly sink: SinkDetail }) {
  const { icon, tone, word } = lookOf(sink);
  return (
    <Badge icon={icon} tone={tone}>
      {word}
    </Badge>
  );
}

function rejectionsText({ times, status }: DsnRejections): string {
  const response = status === null ? '' : ` (HTTP ${status})`;
  return `Rejected ${formatCount(times)} times in a row${response}. Check the key and the project.`;
}

/** Explains the effect of the state on queued events, for users who do not know the relay. */
function Meaning({ sink: { state, since, nextAttempt, rejections } }: { readonly sink: SinkDetail }) {
  if (since === undefined) return null;
  return (
    <p className={styles.meaning}>
      {rejections !== undefined && <strong>{rejectionsText(rejections)} </strong>}
      {state === 'paused'
        ? 'Events are queued on disk.'
        : 'Events are queued on disk and retried with exponential backoff.'}
      {nextAttempt !== undefined && (
        <>
          {' '}
          The next attempt is at <TimeText time={nextAttempt} form="clock" />.
        </>
      )}
    </p>
  );
}

/** Tries all failing destinations at once: the breaker of each decides what it sends. */
function RetryNow() {
  const { mutate, isPending, isSuccess, error } = useRetry();
  return (
    <div className={styles.retry}>
      <Button disabled={isPending} onClick={() => mutate()}>
        Retry now
      </Button>
      <ActionResult text={error !== null ? errorText(error) : isSuccess ? 'An attempt was started.' : ''} />
    </div>
  );
}

function Sink({ sink }: { readonly sink: SinkDetail }) {
  const isOperator = useIsOperator();
  const { place, key, reason, since, limits, queued, lastDelivered } = sink;
  return (
    <li className={styles.sink}>
      <div className={styles.sinkHead}>
        <h3 className={styles.name}>{place ?? 'Local store'}</h3>
        <SinkState sink={sink} />
      </div>
      <Meaning sink={sink} />
      {isOperator && since !== undefined && <RetryNow />}
      <Facts
        facts={[
          ['Key', key === null ? null : <code key="key">{key}…</code>],
          ['Reason', reason === null ? null : <span title={reason}>{reasonLabel(reason)}</span>],
          ['Since', since === undefined ? null : <TimeText key="since" time={since} form="clock" />],
          ...limits.map(
            ({ category, until }) =>
              [
                `${capitalized(categoryLabel(category))} paused`,
                <span key={category}>
                  until <TimeText time={until} form="clock" />
                </span>,
              ] as const,
          ),
          ['Queued', formatCount(queued)],
          ['Last delivery', lastDelivered === null ? null : <TimeText key="last" time={lastDelivered} />],
        ]}
      />
    </li>
  );
}

/** Lists the destinations and their state. */
export function DeliverySinks({ sinks }: { readonly sinks: readonly SinkDetail[] }) {
  return (
    <Section title="Destinations">
      <ul className={styles.sinks}>
        {sinks.map((sink) => (
          <Sink key={sink.name} sink={sink} />
        ))}
      </ul>
    </Section>
  );
}
