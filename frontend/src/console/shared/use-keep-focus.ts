import { useEffect, useRef, type RefObject } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { useSession } from '../../api/session.ts';

/** State of a link whose focus is to stay on it: it changes what is shown above or around it. */
export const KEEP_FOCUS = 'stays';

/** Where a step inside a page lands: at what it changes. */
const LANDING = '[data-landing]';

/** What stays in a step to another page of a list or another occurrence; another filter is no step. */
function withoutSteps(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete('cursor');
  parameters.delete('event');
  return parameters.toString();
}

function land(content: HTMLElement): void {
  const landing = content.querySelector<HTMLElement>(LANDING) ?? content;
  window.scrollTo(0, window.scrollY + landing.getBoundingClientRect().top);
  landing.focus({ preventScroll: true });
}

/**
 * Does for a change of page inside the client what a browser does for a loaded one: back to the top, and the focus
 * to the content, where a screen reader goes on. A step to another page of a list, or another occurrence, lands at
 * that. Not after back and forward: there the reader was already.
 */
export function useKeepFocus(content: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  const { pathname, search, state } = useLocation();
  const isBack = useNavigationType() === 'POP';
  const place = useRef<{ readonly pathname: string; readonly search: string } | null>(null);
  useEffect(() => {
    const before = place.current;
    if (before?.pathname === pathname && before.search === search) return;
    place.current = { pathname, search };
    if (isBack || content.current === null) return;
    if (before?.pathname !== pathname) {
      window.scrollTo(0, 0);
      if (takesFocus) content.current.focus({ preventScroll: true });
    } else if (state !== KEEP_FOCUS && withoutSteps(before.search) === withoutSteps(search)) {
      land(content.current);
    }
  }, [pathname, search, state, isBack, takesFocus, content]);
  useSessionChange(content);
}

/** The page comes and goes with the session: a focus that goes with it is lost, and nothing would be said. */
function useSessionChange(content: RefObject<HTMLElement | null>): void {
  const isSignedIn = useSession().data?.signedIn;
  const before = useRef(isSignedIn);
  useEffect(() => {
    const isChange = before.current !== undefined && before.current !== isSignedIn;
    before.current = isSignedIn;
    if (isChange && document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [isSignedIn, content]);
}
