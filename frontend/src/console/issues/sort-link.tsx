import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import styles from './issue-table.module.css';

interface SortLinkProps {
  readonly className: string | undefined;
  readonly to: string;
  readonly isSorted: boolean;
  readonly children: ReactNode;
}

/** A heading that sorts, the most or the latest first. */
export function SortLink({ className, to, isSorted, children }: SortLinkProps) {
  return (
    <th className={className} scope="col" aria-sort={isSorted ? 'descending' : undefined}>
      <Link className={styles.sort} to={to}>
        {children}
        {isSorted && <Icon name="down" />}
      </Link>
    </th>
  );
}
