import { NOT_FOUND_HEADING, NOT_FOUND_TEXT } from '@errata/backend/contract/texts.ts';
import type { ReactNode } from 'react';
import styles from './error-pages.module.css';

/** Title of the browser tab, with and without a script. */
export const NOT_FOUND_TITLE = `${NOT_FOUND_HEADING}: ${NOT_FOUND_TEXT}`;

/** Status and title of a page that is not shown; by default those of the not-found page. */
export interface Refusal {
  readonly status?: number | string;
  /** '' for none. */
  readonly statusText?: string;
}

export interface NotFoundPageProps extends Refusal {
  /** What helpful pages add. */
  readonly help?: ReactNode;
}

/** The not-found page, the same in 404.html and inside the client, or that of another 4xx status. */
export function NotFoundPage({
  status = NOT_FOUND_HEADING,
  statusText = NOT_FOUND_TEXT,
  help,
}: NotFoundPageProps) {
  return (
    <main className={styles.page} dir="ltr">
      <div className={styles.slip}>
        <h1 className={styles.status}>{status}</h1>
        {statusText !== '' && <p className={styles.remark}>{statusText}</p>}
        {help}
      </div>
    </main>
  );
}
