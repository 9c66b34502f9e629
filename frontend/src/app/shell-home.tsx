import { Link } from 'react-router';
import { useDocumentTitle } from '../ui/document-title.ts';
import { Mark } from '../ui/mark.tsx';
import { DemoButtons } from './demo-pages.tsx';
import type { PageProps } from './routes.tsx';
import styles from './shell-home.module.css';

/** The page at `/` until a team mounts its own client here. */
export function ShellHome({ hasDemo }: PageProps) {
  useDocumentTitle('Errata');
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <h1 className={styles.name}>
          <Mark />
        </h1>
        <p className={styles.lead}>This app is served by Errata</p>
        {hasDemo && <DemoButtons />}
        <p className={styles.remark}>
          Got a digest? <Link to="/console">Look it up in the console</Link>
        </p>
      </div>
    </main>
  );
}
