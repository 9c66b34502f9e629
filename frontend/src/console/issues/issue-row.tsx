import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { IssueBadges } from '../shared/issue-badges.tsx';
import { KindLabel } from '../shared/kind-label.tsx';
import { answerPath } from '../shared/paths.ts';
import { RowLink } from '../shared/row-link.tsx';
import { projectName } from '@errata/backend/contract/project-name.ts';
import styles from './issue-table.module.css';
import type { Selection } from './use-selection.ts';

interface IssueRowProps {
  readonly issue: IssueSummary;
  readonly selection: Selection | null;
  /** Path of the list of this project; null where there is only one project. */
  readonly projectPath: string | null;
}

function Name({ issue, projectPath }: Omit<IssueRowProps, 'selection'>) {
  return (
    <th className={styles.name} scope="row">
      <RowLink className={styles.title} to={answerPath(issue)}>
        {issue.title}
      </RowLink>
      <span className={styles.facts}>
        <code className={styles.digest}>{issue.digest}</code>
        <KindLabel kind={issue.kind} />
        {projectPath !== null && <Link to={projectPath}>{projectName(issue.project)}</Link>}
        <IssueBadges issue={issue} />
        {/* Shown where the columns are hidden. */}
        <span className={styles.narrow}>{counted(issue.events, 'event', 'events')}</span>
        {issue.users > 0 && <span className={styles.narrow}>{counted(issue.users, 'user', 'users')}</span>}
        <span className={styles.narrowest}>
          <TimeText time={issue.lastSeen} />
        </span>
      </span>
    </th>
  );
}

export function IssueRow({ issue, selection, projectPath }: IssueRowProps) {
  const isChecked = selection?.has(issue) === true;
  return (
    <tr className={isChecked ? `${styles.row} ${styles.ticked}` : styles.row}>
      {selection !== null && (
        <td className={styles.tick}>
          <Checkbox
            label={
              issue.isShared
                ? `Select ${issue.digest} in ${projectName(issue.project)}`
                : `Select ${issue.digest}`
            }
            isChecked={isChecked}
            onToggle={() => selection.toggle(issue)}
          />
        </td>
      )}
      <Name issue={issue} projectPath={projectPath} />
      <td className={styles.wide}>
        <Sparkline counts={issue.hours} />
      </td>
      <td className={styles.number}>{formatCount(issue.events)}</td>
      <td className={styles.number}>{issue.users === 0 ? '–' : formatCount(issue.users)}</td>
      <td className={styles.wide}>
        <span className={styles.release}>{issue.release}</span>
      </td>
      <td className={styles.time}>
        <TimeText time={issue.firstSeen} />
      </td>
      <td className={styles.last}>
        <TimeText time={issue.lastSeen} />
      </td>
    </tr>
  );
}
