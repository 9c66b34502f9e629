import { ISSUE_SORTS, type IssueQuery, KIND_FILTERS } from '@errata/backend/contract/issues-api.ts';
import { useNavigate } from 'react-router';
import { useProjects } from '../../api/issues.ts';
import boxes from '../../ui/form/form.module.css';
import { Icon } from '../../ui/icon.tsx';
import { projectName } from '@errata/backend/contract/project-name.ts';
import { Link } from '../../ui/link.tsx';
import { FilterBox } from '../shared/filter-box.tsx';
import { issuesPath } from './issue-query.ts';
import styles from './issues-page.module.css';

/** Selects one project or all; hidden when there is only one. */
function ProjectFilter({ query }: { readonly query: IssueQuery }) {
  const navigate = useNavigate();
  const { data } = useProjects();
  // The project in the address is always an option: it filters the list even if it has sent nothing or the list failed
  // to load.
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

const KIND_LABELS: Readonly<Record<IssueQuery['kind'], string>> = {
  all: 'All sources',
  server: 'Server',
  browser: 'Browser',
};

const SORT_LABELS: Readonly<Record<IssueQuery['sort'], string>> = {
  last: 'Last seen',
  first: 'First seen',
  events: 'Events',
  users: 'Users',
};

function Kinds({ query }: { readonly query: IssueQuery }) {
  return (
    <ul className={styles.kinds} aria-label="Source">
      {KIND_FILTERS.map((kind) => (
        <li key={kind}>
          <Link
            className={styles.kind}
            to={issuesPath(query, { kind })}
            aria-current={query.kind === kind ? 'true' : undefined}
          >
            {kind !== 'all' && <Icon name={kind} />}
            {KIND_LABELS[kind]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Sorts on narrow screens, where the sortable headings are hidden. */
function Sorts({ query }: { readonly query: IssueQuery }) {
  return (
    <ul className={styles.sorts} aria-label="Sort by">
      {ISSUE_SORTS.map((sort) => (
        <li key={sort}>
          <Link
            className={styles.kind}
            to={issuesPath(query, { sort })}
            aria-current={query.sort === sort ? 'true' : undefined}
          >
            {SORT_LABELS[sort]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Filters by text, source and project; each is in the address, so a filtered list can be shared. */
export function IssueFilters({ query }: { readonly query: IssueQuery }) {
  const navigate = useNavigate();
  return (
    <div className={styles.filters}>
      <FilterBox
        label="Filter: text, release:, user:, url:, environment:, server:, browser:, tag:, level:, is:, last: or at:"
        placeholder="Text, release:, environment:, browser:, is: …"
        text={query.q}
        onFilter={(q) => void navigate(issuesPath(query, { q }))}
      />
      <Kinds query={query} />
      <Sorts query={query} />
      <ProjectFilter query={query} />
    </div>
  );
}
