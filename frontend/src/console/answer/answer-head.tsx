import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { counted } from '../../ui/counted.ts';
import styles from './answer-head.module.css';
import { HourHistogram } from './hour-histogram.tsx';
import { KindLabel } from '../kind-label.tsx';

function releases({ firstRelease, release }: IssueAnswer): string | null {
  if (release === null) return null;
  return firstRelease === null || firstRelease === release
    ? `release ${release}`
    : `releases ${firstRelease} – ${release}`;
}

/** What failed, its digest, and how often: the three things somebody on the telephone is told first. */
export function AnswerHead({ issue }: { readonly issue: IssueAnswer }) {
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <h1 className={styles.title}>{issue.title}</h1>
        <p className={styles.facts}>
          <span className={styles.copy}>
            <code className={styles.digest}>{issue.digest}</code>
            <CopyButton text={issue.digest} what="digest" />
          </span>
          <KindLabel kind={issue.kind} />
          {releases(issue) !== null && <span>{releases(issue)}</span>}
        </p>
        <p className={styles.facts}>
          <strong className={styles.count}>{counted(issue.events, 'occurrence', 'occurrences')}</strong>
          <span>
            first <TimeText time={issue.firstSeen} />
          </span>
          <span>
            last <TimeText time={issue.lastSeen} />
          </span>
        </p>
      </div>
      <div className={styles.hours}>
        <HourHistogram hours={issue.hours} />
      </div>
    </header>
  );
}
