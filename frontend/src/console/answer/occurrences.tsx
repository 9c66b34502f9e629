import type { EventSummary } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useState } from 'react';
import { useIssueEvents } from '../../api/find.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { counted } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import styles from './occurrences.module.css';
import { FilterBox } from '../shared/filter-box.tsx';
import { answerPath } from '../shared/paths.ts';
import { RowLink } from '../shared/row-link.tsx';
import { ListEnd } from '../shared/list-end.tsx';

interface OccurrencesProps {
  readonly issue: IssueAnswer;
  /** ID of the event shown above. */
  readonly eventId: string | null;
}

interface RowProps {
  readonly issue: IssueAnswer;
  readonly event: EventSummary;
  readonly isShown: boolean;
  readonly onUser: (user: string) => void;
}

function Row({ issue, event, isShown, onUser }: RowProps) {
  const { user } = event;
  return (
    <tr className={styles.row}>
      <th className={styles.time} scope="row">
        <RowLink to={answerPath(issue, event.eventId)} aria-current={isShown ? 'true' : undefined}>
          <TimeText time={event.time} form="absolute" />
        </RowLink>
      </th>
      <td className={styles.reference}>
        <code>{event.reference}</code>
      </td>
      <td className={styles.path}>{event.path}</td>
      <td className={styles.user}>
        {user !== null && (
          <button type="button" title={`Only events of ${user}`} onClick={() => onUser(user)}>
            {user}
          </button>
        )}
      </td>
      <td className={styles.sender}>{issue.kind === 'browser' ? event.browser : event.server}</td>
      <td className={styles.release}>{event.release}</td>
    </tr>
  );
}

/** Events have either a browser or a server. */
const SENDERS: Readonly<Record<IssueAnswer['kind'], string>> = { browser: 'Browser', server: 'Server' };

interface EventTableProps extends Pick<RowProps, 'issue' | 'onUser'> {
  readonly events: readonly EventSummary[];
  readonly shownId: string | null;
}

function EventTable({ issue, events, shownId, onUser }: EventTableProps) {
  return (
    <table className={styles.table} aria-label="Events">
      <thead>
        <tr>
          {['Time', 'Reference', 'Path', 'User', SENDERS[issue.kind], 'Release'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <Row
            key={event.eventId}
            issue={issue}
            event={event}
            isShown={event.eventId === shownId}
            onUser={onUser}
          />
        ))}
      </tbody>
    </table>
  );
}

/** A value in quotation marks ends at the first one. */
function termOf(user: string): string {
  return `user:${user.includes('"') ? user : `"${user}"`}`;
}

/** The stored events, newest first, of all users or of one. */
export function Occurrences({ issue, eventId }: OccurrencesProps) {
  const [user, setUser] = useState('');
  const list = useIssueEvents(issue, user === '' ? null : termOf(user));
  const { data, isPlaceholderData } = list;
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  const searched = data?.pages.at(-1)?.searched;
  const isFound = user !== '' && data !== undefined && !isPlaceholderData;
  return (
    <Section title="Events">
      <div className={styles.filter}>
        <FilterBox
          label="Filter: email, username, ID or name of a user"
          placeholder="user: email, ID or name"
          text={user}
          onFilter={(text) => setUser(text.replace(/^user:\s*/i, ''))}
        />
      </div>
      <Announcement text={isFound ? `${counted(events.length, 'event', 'events')} of ${user}` : ''} />
      {events.length > 0 && (
        <div className={styles.list} aria-busy={isPlaceholderData}>
          <EventTable issue={issue} events={events} shownId={eventId} onUser={setUser} />
        </div>
      )}
      {data !== undefined && events.length === 0 && (
        <p className={styles.none}>{user === '' ? 'No stored events.' : `No stored events of ${user}.`}</p>
      )}
      {searched?.isAll === false && searched.since !== null && (
        <p className={styles.none}>
          Searched the events since <TimeText time={searched.since} form="absolute" />. Older ones may match.
        </p>
      )}
      <ListEnd list={list} what="The events" more="Show older">
        <Skeleton label="Loading the events" lines={4} />
      </ListEnd>
    </Section>
  );
}
