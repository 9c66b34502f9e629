import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Link } from 'react-router';
import { buttonClass } from '../../ui/form/button-class.ts';
import { Button } from '../../ui/form/button.tsx';
import { formatCount } from '../../ui/format/count.ts';
import styles from './occurrence-step.module.css';
import { answerPath } from '../shared/paths.ts';
import { STAYS } from '../shared/use-keep-focus.ts';
import { useNeighbours } from './use-neighbours.ts';

interface OccurrenceStepProps {
  readonly issue: IssueAnswer;
  readonly eventId: string;
}

/** To the newer and the older neighbour; the list below loads on when its end is reached. */
export function OccurrenceStep({ issue, eventId }: OccurrenceStepProps) {
  const { index, newer, older, loadOlder } = useNeighbours(issue, eventId);
  // Opened by its reference, far from what the list has loaded: the way back is to the start.
  const isAstray = index === null && eventId !== issue.latest?.eventId;
  return (
    <nav className={styles.steps} aria-label="Neighbouring occurrences">
      {newer !== undefined && (
        <Link className={buttonClass('quiet')} to={answerPath(issue, newer.eventId)} state={STAYS}>
          ‹ Newer
        </Link>
      )}
      {isAstray && (
        <Link className={buttonClass('quiet')} to={answerPath(issue)} state={STAYS}>
          ‹ Newest
        </Link>
      )}
      {index !== null && (
        <span className={styles.place}>
          {formatCount(index + 1)} of {formatCount(issue.events)}
        </span>
      )}
      {older !== undefined && (
        <Link className={buttonClass('quiet')} to={answerPath(issue, older.eventId)} state={STAYS}>
          Older ›
        </Link>
      )}
      {loadOlder !== null && (
        <Button look="quiet" onClick={() => void loadOlder()}>
          Older ›
        </Button>
      )}
    </nav>
  );
}
