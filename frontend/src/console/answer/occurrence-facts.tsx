import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './occurrence-facts.module.css';
import { OccurrenceStep } from './occurrence-step.tsx';

interface OccurrenceFactsProps {
  readonly issue: IssueAnswer;
  readonly event: EventDetail;
}

/** The right-hand box: which occurrence this is, and the way to its neighbours. */
export function OccurrenceFacts({ issue, event }: OccurrenceFactsProps) {
  const tags = Object.entries(event.tags);
  return (
    <aside className={styles.box}>
      <Section title="This occurrence">
        <OccurrenceStep issue={issue} eventId={event.eventId} />
        <Facts
          facts={[
            ['Time', <TimeText key="time" time={event.time} form="absolute" />],
            ['Reference', <code key="reference">{event.reference}</code>],
            [
              'Event id',
              <span key="event" className={styles.id}>
                <code>{event.eventId}</code>
                <CopyButton text={event.eventId} what="event id" />
              </span>,
            ],
            ['Path', event.path],
            ['Browser', event.browser],
            ['Release', event.release],
            ['Environment', event.environment],
          ]}
        />
        {tags.length > 0 && (
          <details className={styles.tags}>
            <summary>Tags ({tags.length})</summary>
            <Facts facts={tags} />
          </details>
        )}
      </Section>
    </aside>
  );
}
