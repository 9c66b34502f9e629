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
import { refusalLabel, refusedTotal } from '../shared/refusal-labels.ts';
import styles from './find-page.module.css';

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
function LostEventNotice({ event: { fate, reason, time }, onRetry }: LostEventNoticeProps) {
  return (
    <>
      <p>
        <strong>{FATES[fate]}</strong> Since <TimeText time={time} form="absolute" />
        {reason !== '' && `: ${reasonLabel(reason)}`}.
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

/** What was read as an id: the reasons nothing here can know of. */
function IdTips() {
  return (
    <ul className={styles.tips}>
      <li>
        It may be on its way: a browser that was offline reports when it is back, up to seven days later.
      </li>
      <li>
        A symbol may be misread. Case, spaces and hyphens do not matter, and <code>O</code>, <code>I</code>{' '}
        and <code>L</code> are taken for <code>0</code>, <code>1</code> and <code>1</code>.
      </li>
      <li>It may come from another installation.</li>
    </ul>
  );
}

function TextTips() {
  return (
    <ul className={styles.tips}>
      <li>
        A digest or a reference looks like <code>7KQ4-M2XD</code>; four symbols of it are enough.
      </li>
      <li>An event id is 32 hex digits; the browser console has it under the error page’s sentence.</li>
      <li>
        Search by <code>release:1.4.2</code>, <code>user:ann@example.org</code>, <code>url:/checkout</code> or{' '}
        <code>"part of the message"</code>.
      </li>
    </ul>
  );
}

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
  const reasons = refused.map(({ reason, count }) => `${refusalLabel(reason)} ${formatCount(count)}`);
  return `${formatCount(total)} in the last 24 hours: ${reasons.join(', ')}`;
}

interface PossibleReasonsProps {
  readonly hint: FindHint;
  readonly onRetry: () => void;
}

/** The counters that tell why an id that was once shown can be missing here. */
function PossibleReasons({ hint, onRetry }: PossibleReasonsProps) {
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

interface NothingFoundProps {
  readonly text: string;
  /** How the server understood the text. */
  readonly reading: FindReading;
  /** What the store adds to a search without a result. */
  readonly hint: FindHint | undefined;
  readonly onRetry: () => void;
}

const NAMES: Readonly<Record<FindReading, string>> = {
  digest: 'error with this digest',
  reference: 'occurrence with this reference',
  event_id: 'event with this id',
  text: 'error with this text',
  nothing: 'digest in this text',
};

/** Why there is no answer, from what was counted: a slip of the pen, an age, a refusal, or a way still to go. */
export function NothingFound({ text, reading, hint, onRetry }: NothingFoundProps) {
  const isId = reading !== 'text' && reading !== 'nothing';
  const lost = hint?.lost ?? null;
  return (
    <>
      <NoIndex />
      <Notice icon="empty" title={`No ${NAMES[reading]} here`} urgent>
        <p className={styles.asked}>
          You asked for <strong>{text}</strong>
        </p>
        {lost !== null && <LostEventNotice event={lost} onRetry={onRetry} />}
      </Notice>
      {hint !== undefined && hint.similar.length > 0 && (
        <Section title="Did you mean" remark="one symbol apart from what you typed">
          <IssueList issues={hint.similar} label="Errors whose digest differs in one symbol" />
        </Section>
      )}
      {hint !== undefined && isId && lost === null && (
        <Section title="What is known" remark="counted, not guessed">
          <PossibleReasons hint={hint} onRetry={onRetry} />
        </Section>
      )}
      {lost === null && (
        <Section title={isId ? 'What else it can be' : 'What can be asked for'}>
          {isId ? <IdTips /> : <TextTips />}
        </Section>
      )}
    </>
  );
}
