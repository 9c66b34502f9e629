import { type LiveEvent, MAX_LIVE_PASSED } from '@errata/backend/contract/live-api.ts';
import { type Dispatch, type FocusEvent, memo, type Ref } from 'react';
import { counted } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { KindLabel } from '../shared/kind-label.tsx';
import { answerPath, ISSUES_PATH } from '../shared/paths.ts';
import { RowLink } from '../shared/row-link.tsx';
import styles from './live-list.module.css';
import { type LiveAction, type LiveRow, MAX_LIVE_ROWS } from './live-rows.ts';

/** Shows that events are missing in the list, and where they are. */
function LiveGapLine({ events }: { readonly events: number }) {
  return (
    <li className={styles.gap}>
      {events === MAX_LIVE_PASSED && 'At least '}
      {counted(events, 'more error is', 'more errors are')} under <Link to={ISSUES_PATH}>Issues</Link>.
    </li>
  );
}

/** Shows one event. Memoised by the event, which never changes: a burst renders only new rows. */
const LiveRowLine = memo(function LiveRowLine({ event }: { readonly event: LiveEvent }) {
  const facts = [event.path, event.user, event.release, event.environment, event.browser];
  return (
    <li className={event.isNew ? `${styles.row} ${styles.first}` : styles.row}>
      <span className={styles.time}>
        <TimeText time={event.time} form="clock" />
      </span>
      <RowLink className={styles.title} to={answerPath(event, event.eventId)}>
        {event.title}
      </RowLink>
      {event.isNew && <span className={styles.new}>New issue</span>}
      <p className={styles.facts}>
        <code className={styles.digest}>{event.digest}</code>
        <KindLabel kind={event.kind} />
        {facts.map((fact, index) =>
          fact === null || fact === undefined ? null : <span key={index}>{fact}</span>,
        )}
      </p>
    </li>
  );
});

interface LiveListProps {
  readonly ref: Ref<HTMLOListElement>;
  readonly rows: readonly LiveRow[];
  readonly isCut: boolean;
  readonly dispatch: Dispatch<LiveAction>;
}

/** Lists events, newest first. Silent for screen readers; the button above announces new events. */
export function LiveList({ ref, rows, isCut, dispatch }: LiveListProps) {
  const onFocus = ({ target, currentTarget }: FocusEvent) => {
    if (target !== currentTarget) dispatch({ type: 'pause', reason: 'reading' });
  };
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
    if (!isInside || relatedTarget === currentTarget) dispatch({ type: 'resume', reason: 'reading' });
  };
  return (
    <div hidden={rows.length === 0}>
      {/* Only observes the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ol
        className={styles.list}
        aria-label="Live errors"
        aria-live="off"
        ref={ref}
        tabIndex={-1}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        {rows.map((row) =>
          row.kind === 'event' ? (
            <LiveRowLine key={row.id} event={row.event} />
          ) : (
            <LiveGapLine key={row.id} events={row.events} />
          ),
        )}
      </ol>
      {isCut && (
        <p className={styles.cut}>
          Newest {MAX_LIVE_ROWS} shown. All errors are under <Link to={ISSUES_PATH}>Issues</Link>.
        </p>
      )}
    </div>
  );
}
