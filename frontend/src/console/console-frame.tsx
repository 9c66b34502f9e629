import { useRef, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession, useSignOut } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { useDocumentTitle } from '../ui/document-title.ts';
import { Mark } from '../ui/mark.tsx';
import styles from './console-frame.module.css';
import { FindBox } from './find-box.tsx';
import { FIND_PATH } from './paths.ts';
import { useArrival } from './use-arrival.ts';

interface ConsoleFrameProps {
  readonly title: string;
  /** Off where the page itself is the box. */
  readonly hasFindBox?: boolean;
  readonly children: ReactNode;
}

/** What stands around every console page: the name, the box, the way out. */
export function ConsoleFrame({ title, hasFindBox = false, children }: ConsoleFrameProps) {
  useDocumentTitle(`${title} – Errata`);
  const session = useSession();
  const signOut = useSignOut();
  const content = useRef<HTMLElement>(null);
  useArrival(content, hasFindBox);
  const isSignedIn = session.data?.signedIn === true;

  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.bar}>
        <Link className={styles.home} to={FIND_PATH}>
          <Mark />
        </Link>
        {hasFindBox && (
          <div className={styles.find}>
            <FindBox size="small" text="" />
          </div>
        )}
        {isSignedIn && (
          <Button look="quiet" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign out
          </Button>
        )}
      </header>
      <main className={styles.content} id="content" ref={content} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
