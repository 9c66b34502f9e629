import { CLIENT_ERROR_TEXT } from '@errata/backend/contract/texts.ts';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useConnection } from '../../api/connection.ts';
import { useSession } from '../../api/session.ts';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const TITLE = 'This page could not be loaded';
const BROKEN_TITLE = 'This page could not be shown';

interface LostFiles {
  /** Asks for the files of the page again, and shows it when they came. Returns whether they did. */
  readonly retry: () => Promise<boolean>;
  /** Is called when the server answers, but does not have them. Returns whether the console is being reloaded. */
  readonly onGone: () => boolean;
}

/** Renders the page that stands in for one whose files are lost; without files for one that cannot be rendered. */
export type RenderLostPage = (files?: LostFiles) => ReactNode;

/** A sheet that did not load cannot be read, or is empty, in Chromium; elsewhere there is none. */
function isLostSheet({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet === null || sheet.cssRules.length === 0;
  } catch {
    return true;
  }
}

/** Asks again for the style sheets that did not load: the loader of the pages asks once for each. */
async function loadStyles(): Promise<void> {
  const links = Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'));
  const loads = links.filter(isLostSheet).map((link) => {
    const again = document.createElement('link');
    for (const { name, value } of link.attributes) again.setAttribute(name, value);
    link.replaceWith(again);
    return new Promise((resolve, reject) => {
      again.addEventListener('load', resolve);
      again.addEventListener('error', reject);
    });
  });
  await Promise.all(loads);
}

/** Asks for the lost page by itself as long as it is open, and when the user asks for it. */
function useLostPage({ retry, onGone }: LostFiles) {
  const isOnline = useConnection() === 'online';
  const { refetch } = useSession();
  const [state, setState] = useState<'asking' | 'lost' | 'asked'>(isOnline ? 'asking' : 'lost');
  const isShown = useRef(true);

  /** Returns whether the page stays lost. */
  const askAgain = async (isAsked: boolean): Promise<boolean> => {
    if (await loadStyles().then(retry, () => false)) {
      // The button, which had the focus, goes.
      if (isAsked) document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
      return false;
    }
    const { error } = await refetch();
    // Where the user has gone on, another page may have unsaved input.
    if (!isShown.current) return false;
    const isAnswered = error === null || error instanceof ApiError;
    if (isAnswered && isAsked) window.location.reload();
    return !(isAnswered && (isAsked || onGone()));
  };
  const onAsked = (isLost: boolean) => {
    if (isLost) setState('lost');
  };
  const onReturn = useEffectEvent(() => void askAgain(false).then(onAsked));
  useEffect(() => {
    if (isOnline) onReturn();
  }, [isOnline]);
  useEffect(() => () => void (isShown.current = false), []);

  const onAsk = () => {
    setState('asked');
    void askAgain(true).then(onAsked);
  };
  return { state, isOnline, onAsk };
}

function Lost(props: LostFiles) {
  useDocumentTitle(`${TITLE} – Errata`);
  const { state, isOnline, onAsk } = useLostPage(props);
  if (state === 'asking') return <Skeleton label="Loading the page" lines={5} />;
  return (
    <Notice icon={isOnline ? 'alert' : 'offline'} title={TITLE} level="h1" urgent>
      <p>
        {isOnline
          ? 'A file of this page is missing or damaged. Try again to reload the console.'
          : 'It loads automatically when the server is reachable again.'}
      </p>
      <Button onClick={onAsk}>{state === 'asked' ? 'Loading…' : 'Try again'}</Button>
    </Notice>
  );
}

/** A new try needs new data: what the page has read stays in the cache. */
function Broken() {
  useDocumentTitle(`${BROKEN_TITLE} – Errata`);
  return (
    <Notice icon="alert" title={BROKEN_TITLE} level="h1" urgent>
      <p>{CLIENT_ERROR_TEXT}</p>
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </Notice>
  );
}

/** Another address is another page. */
function LostOnPage(props: LostFiles) {
  const { key } = useLocation();
  return <Lost key={key} {...props} />;
}

/**
 * Stands in for a page that could not be loaded or rendered. It asks for lost files again by itself, when it is opened and when
 * the server is reachable again.
 */
export const renderLostPage: RenderLostPage = (files) =>
  files === undefined ? <Broken /> : <LostOnPage {...files} />;
