import { NOT_FOUND_HEADING, NOT_FOUND_TEXT } from '@errata/backend/contract/texts.ts';
import styles from './error-pages.module.css';

/** Title of the browser tab, with and without a script. */
export const NOT_FOUND_TITLE = `${NOT_FOUND_HEADING}: ${NOT_FOUND_TEXT}`;

/** The not-found page, the same in 404.html and inside the client. */
export function NotFoundPage() {
  return (
    <main className={styles.page} dir="ltr">
      <div className={styles.slip}>
        <h1 className={styles.status}>{NOT_FOUND_HEADING}</h1>
        <p className={styles.remark}>{NOT_FOUND_TEXT}</p>
      </div>
    </main>
  );
}
