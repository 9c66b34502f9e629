import { NOT_FOUND_HEADING, NOT_FOUND_TEXT } from '@errata/backend/contract/texts.ts';
import { Fragment, type RefObject, Suspense, useCallback, useRef, useState } from 'react';
import { matchPath, useLocation, useOutlet } from 'react-router';
import { useRefetchAll, useConnection } from '../../api/connection.ts';
import { useSession } from '../../api/session.ts';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { Button } from '../../ui/form/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { readStored, writeStored } from '../../ui/storage.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { DELIVERY_PATH, FIND_PATH, ISSUES_PATH, LIVE_PATH, SIGN_IN_PATH } from '../shared/paths.ts';
import { FindBox } from '../shared/find-box.tsx';
import { useKeepFocus } from '../shared/use-keep-focus.ts';
import { AccountMenu } from './account-menu.tsx';
import styles from './console-frame.module.css';
import { DeliveryBanner } from './delivery-banner.tsx';
import type { HelpDialog } from './help-dialog.tsx';
import { renderLostPage } from './lost-page.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const LABELS = {
  offline: 'You are offline. This data may be outdated.',
  unreachable: 'Server unreachable. This data may be outdated.',
} as const;

/** Between two looks at an unreachable server: the page may send no other request. */
const LOOK_MS = 5_000;

/** Tells that the server is unreachable. The live region is always mounted, or screen readers would not announce it. */
function ConnectionBanner() {
  const connection = useConnection();
  const askAgain = useRefetchAll();
  useSession(connection === 'unreachable' ? LOOK_MS : undefined);
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

const PAGES = [
  ['Find', FIND_PATH],
  ['Issues', ISSUES_PATH],
  ['Live', LIVE_PATH],
  ['Delivery', DELIVERY_PATH],
] as const;

/** Links to the four pages; the current one is announced by screen readers. */
function ConsoleNav() {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Console">
      <ul className={styles.pages}>
        {PAGES.map(([name, path]) => (
          <li key={path}>
            <Link
              className={styles.page}
              to={path}
              aria-current={matchPath(path, pathname) === null ? undefined : 'page'}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const NAME = 'shortcuts';

interface OpenHelp {
  /** Entry of the history: the back button leaves an open dialog. */
  readonly at: string;
  readonly Dialog: typeof HelpDialog;
}

/** Opens the help and installs the shortcuts; `frame` is the element they search for rows and the find box. */
function ShortcutHelp({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const [isOn, setIsOn] = useState(() => readStored(window, 'localStorage', NAME) !== 'off');
  const { key } = useLocation();
  const [help, setHelp] = useState<OpenHelp>();
  const open = useCallback(async () => {
    const { HelpDialog: Dialog } = await import('./help-dialog.tsx');
    setHelp({ at: key, Dialog });
  }, [key]);
  useShortcuts(frame, { isOn, onHelp: open });

  const switchKeys = (on: boolean) => {
    writeStored(window, 'localStorage', NAME, on ? null : 'off');
    setIsOn(on);
  };

  return (
    <>
      <Button look="quiet" onClick={() => void open()}>
        <Icon name="help" />
        <VisuallyHidden>Help</VisuallyHidden>
      </Button>
      {help?.at === key && (
        <help.Dialog isOn={isOn} onSwitch={switchKeys} onClose={() => setHelp(undefined)} />
      )}
    </>
  );
}

/** Sets the title of the tab for a page of the console. */
export function usePageTitle(title: string): void {
  useDocumentTitle(`${title} – Errata`);
}

/** Says that no page has this address. The server has answered 404, too. */
function UnknownPage() {
  usePageTitle(`${NOT_FOUND_HEADING}: ${NOT_FOUND_TEXT}`);
  return (
    <Notice icon="empty" title={NOT_FOUND_HEADING} level="h1">
      <p>{NOT_FOUND_TEXT}</p>
    </Notice>
  );
}

/**
 * The frame of every console page: navigation, find box, help, theme, account. It stays mounted on navigation, so that screen
 * readers announce its live regions; only the page in it changes.
 */
export function ConsoleFrame() {
  const page = useOutlet(renderLostPage);
  const { pathname } = useLocation();
  const hasFindBox = [FIND_PATH, SIGN_IN_PATH].every((path) => matchPath(path, pathname) === null);
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  useKeepFocus(content, hasFindBox);

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
        <div className={styles.find}>{hasFindBox && <FindBox size="small" text="" />}</div>
        <div className={styles.own}>
          <ShortcutHelp frame={frame} />
          {/* Closed on another page. */}
          <Fragment key={pathname}>
            <ThemeMenu />
            <AccountMenu />
          </Fragment>
        </div>
      </header>
      <ConnectionBanner />
      <DeliveryBanner />
      <main className={styles.content} id="content" ref={content} tabIndex={-1}>
        <Suspense fallback={<Skeleton label="Loading the page" lines={5} />}>
          {page ?? <UnknownPage />}
        </Suspense>
      </main>
    </div>
  );
}
