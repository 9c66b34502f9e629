import type { IssueQuery } from '@errata/backend/contract/issues-api.ts';
import { useNavigate } from 'react-router';
import { useProjects } from '../../api/issues.ts';
import boxes from '../../ui/form/text-box.module.css';
import { projectName } from '../shared/project-name.ts';
import styles from './issue-filters.module.css';
import { issuesPath } from './issue-query.ts';

/** One project or all; where there is only one there is nothing to choose. */
export function ProjectFilter({ query }: { readonly query: IssueQuery }) {
  const navigate = useNavigate();
  const { data } = useProjects();
  // What the address names is shown even if it has sent nothing, or the list cannot be had: it hides the others.
  const projects = [...new Set([...(data?.projects ?? []), query.project])].filter((dsn) => dsn !== '');
  if (projects.length < 2 && query.project === '') return null;
  return (
    <select
      className={`${boxes.box} ${styles.project}`}
      aria-label="Project"
      value={query.project}
      onChange={(event) => void navigate(issuesPath(query, { project: event.currentTarget.value }))}
    >
      <option value="">All projects</option>
      {projects.map((dsn) => (
        <option key={dsn} value={dsn}>
          {projectName(dsn)}
        </option>
      ))}
    </select>
  );
}
