import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { projectName } from '../shared/project-name.ts';
import { DeliveryLine } from './delivery-line.tsx';
import styles from './occurrence-facts.module.css';
import { OccurrenceStep } from './occurrence-step.tsx';

interface OccurrenceFactsProps {
  readonly issue: IssueAnswer;
  /** The one in sight, or the one that is on its way or could not be loaded: there is a way on from there too. */
  readonly eventId: string;
  readonly event: EventDetail | undefined;
}

interface IdProps {
  readonly what: string;
  readonly text: string;
}

function Id({ what, text }: IdProps) {
  return (
    <span className={styles.id}>
      <code>{text}</code>
      <CopyButton text={text} what={what} words="icon" />
    </span>
  );
}

function userOf({ user, userFacts }: EventDetail): ReactNode {
  if (user === null && userFacts.length === 0) return null;
  return (
    <>
      {user !== null && <Id what="user" text={user} />}
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

function EventFacts({ event }: { readonly event: EventDetail }) {
  return (
    <Facts
      facts={[
        ['Time', <TimeText key="time" time={event.time} form="absolute" />],
        ['Reference', <Id key="reference" what="reference" text={event.reference} />],
        ['Event id', <Id key="event" what="event id" text={event.eventId} />],
        ['User', userOf(event)],
        ['Path', event.path],
        ['Browser', event.browser],
        ['Server', event.server ?? null],
        ['Release', event.release],
        ['Environment', event.environment],
        ['Project', projectName(event.project)],
        [
          'Upstream',
          event.delivery === undefined ? null : <DeliveryLine key="delivery" delivery={event.delivery} />,
        ],
      ]}
    />
  );
}

/** The right-hand box: which occurrence this is, whom it met, where it went, and the way to its neighbours. */
export function OccurrenceFacts({ issue, eventId, event }: OccurrenceFactsProps) {
  return (
    <div className={styles.box}>
      <Section title="Key facts">
        <OccurrenceStep issue={issue} eventId={eventId} />
        {event !== undefined && <EventFacts event={event} />}
      </Section>
    </div>
  );
}
