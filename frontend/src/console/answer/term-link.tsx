import type { IssueName } from '@errata/backend/contract/event-api.ts';
import type { ReactNode } from 'react';
import { Link } from '../../ui/link.tsx';
import { answerPath } from '../shared/paths.ts';
import { stateOf, toggled, useEventFilter } from './event-filter.ts';
import styles from './answer-page.module.css';

interface TermLinkProps {
  readonly issue: IssueName;
  /** Null for a value that no search finds. */
  readonly term: string | null;
  readonly children: ReactNode;
}

/** A value that filters the events: the first click wants it, the second excludes it, the third removes it. */
export function TermLink({ issue, term, children }: TermLinkProps) {
  const { q, eventId } = useEventFilter();
  if (term === null) return children;
  const state = stateOf(q, term);
  const next = toggled(q, term);
  return (
    <Link
      className={styles.term}
      to={answerPath(issue, eventId, next)}
      title={next === '' ? 'All events' : `Filter: ${next}`}
      aria-current={state === 'only' ? 'true' : undefined}
    >
      {state === 'not' && 'not '}
      {children}
    </Link>
  );
}
