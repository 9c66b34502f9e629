import type { FoundIssue } from '@errata/backend/contract/find-api.ts';
import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { IssueBadges } from './issue-badges.tsx';
import styles from './issue-list.module.css';
import { KindLabel } from './kind-label.tsx';
import { answerPath } from './paths.ts';
import { RowLink } from './row-link.tsx';
import { projectName } from '@errata/backend/contract/project-name.ts';

function Match({ reference, time }: NonNullable<FoundIssue['match']>) {
  return (
    <span>
      matching event <code>{reference}</code>, <TimeText time={time} />
    </span>
  );
}

type Row = IssueSummary & Partial<Pick<FoundIssue, 'match'>>;

function RowFacts({
  issue,
  withoutMatch,
}: {
  readonly issue: Row;
  readonly withoutMatch: string | undefined;
}) {
  return (
    <p className={styles.facts}>
      <code className={styles.digest}>{issue.digest}</code>
      <KindLabel kind={issue.kind} />
      {issue.isShared && <span>{projectName(issue.project)}</span>}
      {issue.release !== null && <span className={styles.release}>{issue.release}</span>}
      {issue.match != null && <Match {...issue.match} />}
      {issue.match == null && withoutMatch !== undefined && <span>{withoutMatch}</span>}
      <IssueBadges issue={issue} />
    </p>
  );
}

interface IssueListProps {
  /** A row with a matching event leads to it. */
  readonly issues: readonly Row[];
  /** Accessible name of the list. */
  readonly label: string;
  /** Said in a row without a matching event. */
  readonly withoutMatch?: string | undefined;
}

/** Lists issues in compact rows: title, source, count, time. */
export function IssueList({ issues, label, withoutMatch }: IssueListProps) {
  return (
    <ul className={styles.list} aria-label={label}>
      {issues.map((issue) => (
        <li key={`${issue.project}/${issue.key}`} className={styles.row}>
          <RowLink className={styles.title} to={answerPath(issue, issue.match?.eventId)}>
            {issue.title}
          </RowLink>
          <RowFacts issue={issue} withoutMatch={withoutMatch} />
          <div className={styles.hours}>
            <Sparkline counts={issue.hours} />
          </div>
          <p className={styles.count}>
            {formatCount(issue.events)}×<VisuallyHidden> in total</VisuallyHidden>
          </p>
          <p className={styles.time}>
            <TimeText time={issue.lastSeen} />
          </p>
        </li>
      ))}
    </ul>
  );
}
