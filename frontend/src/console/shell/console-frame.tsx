import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation, useNavigationType } from 'react-router';
import { useRefetchAll, useConnection } from '../../api/connection.ts';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { Button } from '../../ui/form/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Mark } from '../../ui/mark.tsx';
import { storeChoice, readChoice } from '../../ui/stored-choice.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { DELIVERY_PATH, FIND_PATH, ISSUES_PATH, LIVE_PATH } from '../shared/paths.ts';
import { SearchBox } from '../shared/search-box.tsx';
import { useKeepFocus } from '../shared/use-keep-focus.ts';
import { AccountMenu } from './account-menu.tsx';
import styles from './console-frame.module.css';
import { HelpDialog } from './help-dialog.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const LABELS = {
  offline: 'You are offline. This data may be outdated.',
  unreachable: 'Server unreachable. This data may be outdated.',
} as const;

/** Says that the page has lost its server. The place it is said in stands there from the start, or nobody hears it. */
function ConnectionBanner() {
  const connection = useConnection();
  const askAgain = useRefetchAll();
  return (
    <output className={styles.place}>
      {connection !== 'online' && (
        <div className={styles.banner}>
          <Icon name="offline" />
          <span>{LABELS[connection]}</span>
          {connection === 'unreachable' && (
            <Button look="quiet" onClick={askAgain}>
              Try again
            </Button>
          )}
        </div>
      )}
    </output>
  );
}

/** The console's four pages; the current one is named to a screen reader too. */
function ConsoleNav() {
  return (
    <nav aria-label="Console">
      <ul className={styles.pages}>
        <li>
          <NavLink className={styles.page} to={FIND_PATH} end>
            Find
          </NavLink>
        </li>
        <li>
          <NavLink className={styles.page} to={ISSUES_PATH}>
            Issues
          </NavLink>
        </li>
        <li>
          <NavLink className={styles.page} to={LIVE_PATH}>
            Live
          </NavLink>
        </li>
        <li>
          <NavLink className={styles.page} to={DELIVERY_PATH}>
            Delivery
          </NavLink>
        </li>
      </ul>
    </nav>
  );
}

const NAME = 'shortcuts';

/** The help's button, and the keys it explains; `frame` is where they find their places. */
function ShortcutHelp({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const [isOn, setIsOn] = useState(() => readChoice(window, NAME) !== 'off');
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => setIsOpen(true), []);
  useShortcuts(frame, { isOn, onHelp: open });

  const switchKeys = (on: boolean) => {
    storeChoice(window, NAME, on ? null : 'off');
    setIsOn(on);
  };

  return (
    <>
      <Button look="quiet" onClick={open}>
        <Icon name="help" />
        <VisuallyHidden>Help</VisuallyHidden>
      </Button>
      {isOpen && <HelpDialog isOn={isOn} onSwitch={switchKeys} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/**
 * Back from what a row led to, the row has the focus again. Which one it was is kept by the entry of the history,
 * for as long as its list is, and with it.
 */
function useOpenedRow(content: RefObject<HTMLElement | null>): void {
  const client = useQueryClient();
  const { key } = useLocation();
  const isBack = useNavigationType() === 'POP';

  useEffect(() => {
    const page = content.current;
    const onClick = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest('a[data-row]') : null;
      if (row !== null) client.setQueryData(['row', key], row.getAttribute('href'));
    };
    // Before the link acts on it: then this is another entry.
    page?.addEventListener('click', onClick, { capture: true });
    return () => page?.removeEventListener('click', onClick, { capture: true });
  }, [client, content, key]);

  useEffect(() => {
    const opened = isBack ? client.getQueryData(['row', key]) : undefined;
    if (opened === undefined) return;
    const rows = Array.from(content.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? []);
    rows.find((row) => row.getAttribute('href') === opened)?.focus();
  }, [client, content, key, isBack]);
}

interface ConsoleFrameProps {
  readonly title: string;
  /** Off where the page itself is the box. */
  readonly hasSearchBox?: boolean;
  readonly children: ReactNode;
}

/** What stands around every console page: the name, the pages, the box, the help, the way out. */
export function ConsoleFrame({ title, hasSearchBox = false, children }: ConsoleFrameProps) {
  useDocumentTitle(`${title} – Errata`);
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  useKeepFocus(content, hasSearchBox);
  useOpenedRow(content);

  return (
    <div className={styles.frame} ref={frame}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.bar}>
        <Link className={styles.home} to={FIND_PATH}>
          <Mark />
        </Link>
        <div className={styles.nav}>
          <ConsoleNav />
        </div>
        <div className={styles.find}>{hasSearchBox && <SearchBox size="small" text="" />}</div>
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
