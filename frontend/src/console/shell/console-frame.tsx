import { useRef, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { Mark } from '../../ui/mark.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import styles from './console-frame.module.css';
import { ConsoleNav } from './console-nav.tsx';
import { FindBox } from '../shared/search-box.tsx';
import { FIND_PATH } from '../shared/paths.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { useArrival } from '../shared/use-keep-focus.ts';
import { useOpenedRow } from './use-opened-row.ts';

interface ConsoleFrameProps {
  readonly title: string;
  /** Off where the page itself is the box. */
  readonly hasFindBox?: boolean;
  readonly children: ReactNode;
}

/** What stands around every console page: the name, the pages, the box, the help, the way out. */
export function ConsoleFrame({ title, hasFindBox = false, children }: ConsoleFrameProps) {
  useDocumentTitle(`${title} – Errata`);
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  useArrival(content, hasFindBox);
  useOpenedRow(content);

  return (
    <div className={styles.frame} ref={frame}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.bar}>
        <Link className={styles.home} to={FIND_PATH}>
          <Mark />
        </Link>
        <div className={styles.nav}>
          <ConsoleNav />
        </div>
        <div className={styles.find}>{hasFindBox && <FindBox size="small" text="" />}</div>
        <div className={styles.own}>
          <ShortcutHelp frame={frame} />
          <ThemeMenu />
          <AccountMenu />
        </div>
      </header>
      <ConnectionBanner />
      <main className={styles.content} id="content" ref={content} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
