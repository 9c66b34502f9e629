import type { EventDelivery, EventDetail } from '@errata/backend/contract/event-api.ts';
import type { FindField } from '@errata/backend/contract/find-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { searchTerm } from '@errata/backend/contract/search-term.ts';
import type { ReactNode } from 'react';
import { Facts } from '../../ui/facts.tsx';
import { buttonClass } from '../../ui/form/button-class.ts';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { counted } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { answerPath, deadLetterPath } from '../shared/paths.ts';
import { projectName } from '@errata/backend/contract/project-name.ts';
import { reasonLabel } from '../shared/reason-labels.ts';
import { KEEP_FOCUS } from '../shared/use-keep-focus.ts';
import styles from './occurrence.module.css';
import { sentBy } from './sent-by.ts';
import { TermLink } from './term-link.tsx';
import { usePlace } from './use-occurrence.ts';

type State = EventDelivery['state'];
type DeliveryLook = readonly [icon: IconName, tone: 'good' | 'warn' | 'bad' | 'plain', label: string];

const DELIVERY_LOOKS: Readonly<Record<State, DeliveryLook>> = {
  delivered: ['done', 'good', 'Delivered'],
  stored_only: ['done', 'plain', 'Stored here only (no upstream)'],
  queued: ['waiting', 'warn', 'Queued'],
  dead_lettered: ['alert', 'bad', 'Rejected by upstream (dead letter)'],
  expired: ['alert', 'bad', 'Expired in the queue'],
  dropped: ['alert', 'bad', 'Dropped (queue full)'],
  discarded: ['cross', 'plain', 'Discarded by an operator'],
  unknown: ['help', 'plain', 'Unknown'],
};

/** Shows the delivery status of the event. */
function DeliveryLine({ delivery }: { readonly delivery: EventDelivery }) {
  const { state, time, tries, reason, status, upstream, deadLetterId } = delivery;
  const [icon, tone, label] = DELIVERY_LOOKS[state];
  return (
    <span className={styles.line}>
      <span className={`${styles.state} ${styles[tone]}`}>
        <Icon name={icon} />
        {label}
      </span>
      {upstream !== null && state !== 'stored_only' && <span>{upstream}</span>}
      {time !== null && <TimeText time={time} form="absolute" />}
      {reason !== null && <span>{reasonLabel(reason, status)}</span>}
      {tries !== null && tries > 1 && <span>{counted(tries, 'attempt', 'attempts')}</span>}
      {deadLetterId !== null && (
        <Link to={deadLetterPath(deadLetterId)}>Send it again on the Delivery page</Link>
      )}
    </span>
  );
}

/** Links to the newer and the older event. */
function OccurrenceStep({ issue, eventId, event }: OccurrenceFactsProps) {
  const { newer, older, first, q, words, isLoaded } = usePlace(issue, eventId, event?.time);
  // Opened by its reference, far beyond the loaded part of the list, or not in the filter: offers the way to the newest.
  const newest = q === '' ? issue.latest : first;
  const isAstray = !isLoaded && newest != null && eventId !== newest.eventId;
  return (
    <nav className={styles.steps} aria-label="Previous and next event">
      {newer !== undefined && (
        <Link className={buttonClass('quiet')} to={answerPath(issue, newer.eventId, q)} state={KEEP_FOCUS}>
          ‹ Newer
        </Link>
      )}
      {isAstray && (
        <Link
          className={buttonClass('quiet')}
          to={answerPath(issue, q === '' ? null : newest.eventId, q)}
          state={KEEP_FOCUS}
        >
          ‹ Newest{q !== '' && ' match'}
        </Link>
      )}
      {(isLoaded || isAstray) && words !== null && <span className={styles.place}>{words}</span>}
      {older !== undefined && (
        <Link className={buttonClass('quiet')} to={answerPath(issue, older.eventId, q)} state={KEEP_FOCUS}>
          Older ›
        </Link>
      )}
    </nav>
  );
}

interface OccurrenceFactsProps {
  readonly issue: IssueAnswer;
  /** The shown event, or one that is loading or failed to load: the steps work from there too. */
  readonly eventId: string;
  readonly event: EventDetail | undefined;
}

interface IdProps {
  readonly what: string;
  readonly text: string;
  /** Shown in place of the text. */
  readonly children?: ReactNode;
}

function Id({ what, text, children = <code>{text}</code> }: IdProps) {
  return (
    <span className={styles.id}>
      {children}
      <CopyButton text={text} what={what} label="icon" />
    </span>
  );
}

interface EventFactsProps {
  readonly issue: IssueAnswer;
  readonly event: EventDetail;
}

/** Returns a link that filters the events by a value; null without one. */
function filtering(issue: IssueAnswer, field: FindField, value: string | null | undefined): ReactNode {
  if (value == null) return null;
  return (
    <TermLink key={field} issue={issue} term={searchTerm(field, value)}>
      {value}
    </TermLink>
  );
}

function userOf({ issue, event: { user, userFacts } }: EventFactsProps): ReactNode {
  if (user === null && userFacts.length === 0) return null;
  return (
    <>
      {user !== null && (
        <Id what="user" text={user}>
          {filtering(issue, 'user', user)}
        </Id>
      )}
      {userFacts
        .filter(([, value]) => value !== user)
        .map(([name, value]) => (
          <span key={name} className={styles.userFact}>
            {name} {value}
          </span>
        ))}
    </>
  );
}

function EventFacts({ issue, event }: EventFactsProps) {
  return (
    <Facts
      facts={[
        ['Time', <TimeText key="time" time={event.time} form="absolute" />],
        ['Reference', <Id key="reference" what="reference" text={event.reference} />],
        ['Event ID', <Id key="event" what="event ID" text={event.eventId} />],
        ['User', userOf({ issue, event })],
        ['Path', filtering(issue, 'url', event.path)],
        ['Browser', filtering(issue, 'browser', event.browser)],
        ['Server', filtering(issue, 'server', event.server)],
        ['Sent by', sentBy(event)],
        ['Release', filtering(issue, 'release', event.release)],
        ['Environment', filtering(issue, 'environment', event.environment)],
        ['Project', projectName(event.project)],
        [
          'Upstream',
          event.delivery === undefined ? null : <DeliveryLine key="delivery" delivery={event.delivery} />,
        ],
      ]}
    />
  );
}

/** The box on the right: ID, user, delivery status and steps to the next events. */
export function OccurrenceFacts({ issue, eventId, event }: OccurrenceFactsProps) {
  return (
    <div className={styles.box}>
      <Section title="Key facts">
        <OccurrenceStep issue={issue} eventId={eventId} event={event} />
        {event !== undefined && <EventFacts issue={issue} event={event} />}
      </Section>
    </div>
  );
}
