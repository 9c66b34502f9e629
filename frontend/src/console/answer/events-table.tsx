import type { EventList, EventSummary } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { searchTerm } from '@errata/backend/contract/search-term.ts';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { useIssueEvents } from '../../api/find.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FilterBox } from '../shared/filter-box.tsx';
import { ListEnd } from '../shared/list-end.tsx';
import { answerPath } from '../shared/paths.ts';
import { RowLink } from '../shared/row-link.tsx';
import frames from '../shared/shared.module.css';
import { useEventFilter } from './event-filter.ts';
import styles from './events-table.module.css';
import { TermLink } from './term-link.tsx';

/** With the chunk of the lists: few filters have a word that is unknown. */
const UnknownWordsNotice = lazy(async () => ({
  default: (await import('../lists/unknown-words-notice.tsx')).UnknownWordsNotice,
}));

interface EventsTableProps {
  readonly issue: IssueAnswer;
  /** ID of the event shown above. */
  readonly shownId: string | null;
}

interface RowProps extends EventsTableProps {
  readonly event: EventSummary;
  readonly q: string;
}

function Row({ issue, event, shownId, q }: RowProps) {
  const { eventId, user } = event;
  return (
    <tr className={styles.row}>
      <th className={styles.time} scope="row">
        <RowLink to={answerPath(issue, eventId, q)} aria-current={eventId === shownId ? 'true' : undefined}>
          <TimeText time={event.time} form="absolute" />
        </RowLink>
      </th>
      <td className={styles.user}>
        {user !== null && (
          <TermLink issue={issue} term={searchTerm('user', user)}>
            {user}
          </TermLink>
        )}
      </td>
      <td className={styles.path}>{event.path}</td>
      <td className={styles.release}>{event.release}</td>
      <td className={styles.sender}>{event.server}</td>
      <td className={styles.sender}>{event.browser}</td>
    </tr>
  );
}

const COLUMNS = ['Time', 'User', 'Path', 'Release', 'Server', 'Browser'];

interface TableProps extends Omit<RowProps, 'event'> {
  readonly events: readonly EventSummary[];
  /** Whether these are of another filter, until those of this one are loaded. */
  readonly isOld: boolean;
}

function Table({ events, isOld, ...others }: TableProps) {
  return (
    <table className={`${frames.table} ${styles.table}`} aria-label="Events" aria-busy={isOld}>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <Row key={event.eventId} event={event} {...others} />
        ))}
      </tbody>
    </table>
  );
}

/** Says how many events match, of how many that were searched. Nothing for a list of all events. */
function matchWords(pages: readonly EventList[]): string {
  const searched = pages.flatMap((page) => page.searched ?? []);
  if (searched.length === 0) return '';
  const found = pages.reduce((sum, { events }) => sum + events.length, 0);
  const read = searched.reduce((sum, { events }) => sum + events, 0);
  if (read === 0) return 'No events match.';
  const extent = searched.at(-1)?.isAll === true ? 'all' : 'the newest';
  return `${formatCount(found)} of ${extent} ${counted(read, 'event', 'events')} ${found === 1 ? 'matches' : 'match'}.`;
}

/** The stored events, newest first: all, or those that match the filter in the address. */
export function EventsTable({ issue, shownId }: EventsTableProps) {
  const navigate = useNavigate();
  const { q, eventId } = useEventFilter();
  const list = useIssueEvents(issue, q);
  const { data, isPlaceholderData } = list;
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  const words = data === undefined || isPlaceholderData ? '' : matchWords(data.pages);
  const unknownWords = data?.pages[0]?.unknownWords;
  return (
    <Section title="Events">
      <div className={styles.filter}>
        <FilterBox
          label="Filter: release:, user:, url:, environment:, server:, browser:, tag:, last: or at:"
          placeholder="user:, release:, browser:, last: …"
          text={q}
          onFilter={(text) => void navigate(answerPath(issue, eventId, text))}
        />
        <p className={styles.none}>{words}</p>
      </div>
      <Announcement text={words} />
      <Suspense>
        {unknownWords !== undefined && <UnknownWordsNotice words={unknownWords} isOfEvents />}
      </Suspense>
      {events.length > 0 && (
        <Table issue={issue} events={events} shownId={shownId} q={q} isOld={isPlaceholderData} />
      )}
      {data !== undefined && events.length === 0 && words === '' && (
        <p className={styles.none}>No stored events.</p>
      )}
      <ListEnd list={list} what="The events" more={words === '' ? 'Show older' : 'Search older'}>
        <Skeleton label="Loading the events" lines={4} />
      </ListEnd>
    </Section>
  );
}
