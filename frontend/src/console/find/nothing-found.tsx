import type { FindHint, FindReading, LostEvent } from '@errata/backend/contract/find-api.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../ui/facts.tsx';
import { Button } from '../../ui/form/button.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { NoIndex } from '../../ui/no-index.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { IssueList } from '../shared/issue-list.tsx';
import { DELIVERY_PATH } from '../shared/paths.ts';
import { reasonLabel } from '../shared/reason-labels.ts';
import { rejectedPeriod, rejectedTotal, rejectionLabel } from '../shared/rejection-labels.ts';
import styles from './find-page.module.css';

interface LostEventNoticeProps {
  readonly event: LostEvent;
  readonly onRetry: () => void;
}

const FATES: Readonly<Record<LostEvent['fate'], ReactNode>> = {
  queued: 'This event is accepted and queued for storage.',
  dead_lettered: 'This event arrived but could not be stored. It is a dead letter.',
  expired: 'This event arrived and expired in the queue.',
  dropped: 'This event arrived and was dropped to free space.',
};

/** Shows the state of an event that the spool knows and the store does not have. */
function LostEventNotice({ event: { fate, reason, time }, onRetry }: LostEventNoticeProps) {
  return (
    <>
      <p>
        <strong>{FATES[fate]}</strong>
        {time !== null && (
          <>
            {' '}
            Since <TimeText time={time} form="absolute" />
          </>
        )}
        {reason !== '' && `: ${reasonLabel(reason)}`}.
      </p>
      {fate === 'queued' && <Button onClick={onRetry}>Check again</Button>}
      {fate === 'dead_lettered' && (
        <p>
          <Link to={DELIVERY_PATH}>Send it again on the Delivery page</Link>
        </p>
      )}
    </>
  );
}

/** Lists reasons that no counter can show, for a text read as an ID. */
function IdTips() {
  return (
    <ul className={styles.tips}>
      <li>The browser may be offline. It sends queued errors when it is back online, for up to 7 days.</li>
      <li>
        A character may be misread. Case, spaces and hyphens are ignored; <code>O</code> is read as{' '}
        <code>0</code>, <code>I</code> and <code>L</code> as <code>1</code>.
      </li>
      <li>It may belong to another Errata server.</li>
    </ul>
  );
}

function TextTips() {
  return (
    <ul className={styles.tips}>
      <li>
        A digest or a reference looks like <code>7KQ4-M2XD</code>. Its first four characters are enough.
      </li>
      <li>
        Event IDs have 32 hex characters. The browser’s developer console shows them below the error message.
      </li>
      <li>
        Find by <code>release:1.4.2</code>, <code>user:ann@example.org</code>, <code>url:/checkout</code> or{' '}
        <code>"part of the message"</code>. A user is found by email, username, ID or name.
      </li>
    </ul>
  );
}

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
function PossibleReasons({ hint, onRetry }: PossibleReasonsProps) {
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

interface NothingFoundProps {
  readonly text: string;
  /** How the server read the text. */
  readonly reading: FindReading;
  /** Counters of the store for a text without a result. */
  readonly hint: FindHint | undefined;
  readonly onRetry: () => void;
}

const NAMES: Readonly<Record<FindReading, string>> = {
  digest: 'error found for this digest',
  reference: 'event found for this reference',
  event_id: 'event found for this ID',
  trace_id: 'event found for this trace ID',
  request_id: 'event found for this request ID',
  user: 'error found for this user',
  url: 'error found for this URL',
  release: 'error found for this release',
  environment: 'event found for this environment',
  server: 'event found for this server',
  tag: 'event found for this ID',
  client_sentence: 'error named by this sentence',
  server_sentence: 'error named by this sentence',
  text: 'error found for this text',
  nothing: 'digest found in this text',
};

const NO_IDS: readonly FindReading[] = ['text', 'nothing', 'client_sentence', 'server_sentence'];

/** Explains an empty result from counters: a mistyped digest, retention, a rejection or the queue. */
export function NothingFound({ text, reading, hint, onRetry }: NothingFoundProps) {
  const isId = !NO_IDS.includes(reading);
  const lost = hint?.lost ?? null;
  return (
    <>
      <NoIndex />
      <Notice icon="empty" title={`No ${NAMES[reading]}`} urgent>
        <p className={styles.asked}>
          You looked for <strong>{text}</strong>
        </p>
        {lost !== null && <LostEventNotice event={lost} onRetry={onRetry} />}
      </Notice>
      {hint !== undefined && hint.similar.length > 0 && (
        <Section title="Did you mean" remark="differs by one character">
          <IssueList issues={hint.similar} label="Errors whose digest differs by one character" />
        </Section>
      )}
      {hint !== undefined && isId && lost === null && (
        <Section title="Possible reasons">
          <PossibleReasons hint={hint} onRetry={onRetry} />
        </Section>
      )}
      {lost === null && (
        <Section title={isId ? 'Other reasons' : 'Examples'}>{isId ? <IdTips /> : <TextTips />}</Section>
      )}
    </>
  );
}
