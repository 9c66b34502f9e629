import { Announcement } from '../../ui/announcement.tsx';
import { counted } from '../../ui/format/count.ts';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './live-news.module.css';

interface LiveNewsProps {
  /** Events that wait. */
  readonly count: number;
  readonly onBring: () => void;
}

/** Said once for each step, not for each event: a flood of errors must not become a flood of speech. */
const STEPS = [1_000, 100, 10];

function announcement(count: number): string {
  if (count === 0) return '';
  const step = STEPS.find((least) => count >= least);
  return step === undefined
    ? 'New errors wait above the list'
    : `More than ${step} new errors wait above the list`;
}

/** The way to what came while the list stood still. */
export function LiveNews({ count, onBring }: LiveNewsProps) {
  return (
    <div className={styles.place}>
      <Announcement text={announcement(count)} />
      {count > 0 && (
        <button className={styles.news} type="button" onClick={onBring}>
          <Icon name="up" />
          {counted(count, 'new', 'new')}
          <VisuallyHidden> {count === 1 ? 'error' : 'errors'}: show</VisuallyHidden>
        </button>
      )}
    </div>
  );
}
