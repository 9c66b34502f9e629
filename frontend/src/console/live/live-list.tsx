import type { Dispatch, FocusEvent, Ref } from 'react';
import { Link } from 'react-router';
import { LiveGapLine } from './live-gap-line.tsx';
import styles from './live-list.module.css';
import { LiveRowLine } from './live-row-line.tsx';
import { MAX_LIVE_ROWS, type LiveMove, type LiveRow } from './live-rows.ts';
import { ISSUES_PATH } from '../shared/paths.ts';

interface LiveListProps {
  readonly ref: Ref<HTMLOListElement>;
  readonly rows: readonly LiveRow[];
  readonly isCut: boolean;
  readonly move: Dispatch<LiveMove>;
}

/** Newest on top; silent for screen readers, which are told of new ones by the button above. */
export function LiveList({ ref, rows, isCut, move }: LiveListProps) {
  const onFocus = ({ target, currentTarget }: FocusEvent) => {
    if (target !== currentTarget) move({ type: 'pause', why: 'reading' });
  };
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
    if (!isInside || relatedTarget === currentTarget) move({ type: 'resume', why: 'reading' });
  };
  return (
    <div hidden={rows.length === 0}>
      {/* Only watches where the focus is. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ol
        className={styles.list}
        aria-label="Errors as they come in"
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
          The newest {MAX_LIVE_ROWS} are shown. Everything stands under <Link to={ISSUES_PATH}>Issues</Link>.
        </p>
      )}
    </div>
  );
}
