import type { IssueQuery } from '@errata/backend/contract/issues-api.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { issuesPath } from './issue-query.ts';
import styles from './issue-table.module.css';
import headings from './issue-work.module.css';
import type { Selection } from './use-selection.ts';

interface SortLinkProps {
  readonly className: string | undefined;
  readonly to: string;
  readonly isSorted: boolean;
  readonly children: ReactNode;
}

/** A heading that sorts, largest or latest first. */
function SortLink({ className, to, isSorted, children }: SortLinkProps) {
  return (
    <th className={className} scope="col" aria-sort={isSorted ? 'descending' : undefined}>
      <Link className={headings.sort} to={to}>
        {children}
        {isSorted && <Icon name="down" />}
      </Link>
    </th>
  );
}

interface IssueHeadingsProps {
  readonly query: IssueQuery;
  readonly selection: Selection | null;
  /** Number of selectable issues. */
  readonly count: number;
}

function SelectAll({ selection, count }: { readonly selection: Selection; readonly count: number }) {
  const box = useRef<HTMLInputElement>(null);
  const ticked = selection.issues.length;
  useEffect(() => {
    // There is no HTML attribute for it.
    if (box.current !== null) box.current.indeterminate = ticked > 0 && ticked < count;
  }, [ticked, count]);
  return (
    <Checkbox
      label="Select all on this page"
      isChecked={ticked === count}
      onToggle={ticked === count ? selection.none : selection.all}
      box={box}
    />
  );
}

export function IssueHeadings({ query, selection, count }: IssueHeadingsProps) {
  const sortBy = (sort: IssueQuery['sort']) => ({
    to: issuesPath(query, { sort }),
    isSorted: query.sort === sort,
  });
  return (
    <thead>
      <tr>
        {selection !== null && (
          <th className={styles.tick} scope="col">
            <SelectAll selection={selection} count={count} />
          </th>
        )}
        <th scope="col">Issue</th>
        <th className={styles.wide} scope="col">
          Last 24 h
        </th>
        <SortLink className={styles.number} {...sortBy('events')}>
          Events
        </SortLink>
        <SortLink className={styles.number} {...sortBy('users')}>
          Users
        </SortLink>
        <th className={styles.wide} scope="col">
          Release
        </th>
        <SortLink className={styles.time} {...sortBy('first')}>
          First seen
        </SortLink>
        <SortLink className={styles.last} {...sortBy('last')}>
          Last seen
        </SortLink>
      </tr>
    </thead>
  );
}
