import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { referenceOf } from '../errors/reference.ts';
import { readLastError } from '../reporting/last-error.ts';
import { useDocumentTitle } from '../ui/document-title.ts';
import { Link } from '../ui/link.tsx';
import { Mark } from '../ui/mark.tsx';
import { DemoButtons } from './demo-pages.tsx';
import styles from './shell-home.module.css';

const EVENT_ID = /^[0-9a-f]{32}$/;

/** Links to the last error of this tab; for a signed-in user, since others cannot open the console. */
function LastErrorLink({ id }: { readonly id: string }) {
  const { data } = useSession();
  if (data?.signedIn !== true) return null;
  const name = EVENT_ID.test(id) ? referenceOf(id) : id;
  return (
    <p className={styles.remark}>
      Last error of this tab: <code>{name}</code>.{' '}
      <Link to={`/console/e/${encodeURIComponent(id)}`}>Find it in the console</Link>
    </p>
  );
}

/** The page at `/` until a team mounts its own client here. */
export function ShellHome({ hasDemo }: { readonly hasDemo: boolean }) {
  useDocumentTitle('Errata');
  const [lastError] = useState(() => readLastError(window));
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <h1 className={styles.name}>
          <Mark />
        </h1>
        <p className={styles.lead}>This app is served by Errata</p>
        {hasDemo && <DemoButtons />}
        {lastError !== null && <LastErrorLink id={lastError} />}
        <p className={styles.remark}>
          Got a digest? <Link to="/console">Look it up in the console</Link>
        </p>
      </div>
    </main>
  );
}
