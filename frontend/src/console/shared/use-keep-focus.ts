import { useEffect, useRef, type RefObject } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { useSession } from '../../api/session.ts';

/** State of a link that keeps the focus, because it changes content around it. */
export const KEEP_FOCUS = { keepsFocus: true };

/** Element to scroll to and focus after a step inside a page. */
const LANDING = '[data-landing]';

/** Removes the parameters of a step (page of a list, event). Another filter is not a step. */
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
 * Scrolls and moves the focus on navigation inside the client, as a browser does for a page load: to the top, with the
 * focus on the content. A step to another page of a list or another event goes to that element. Back and forward change
 * nothing: the browser restores the position.
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
    } else if (state?.keepsFocus !== true && withoutSteps(before.search) === withoutSteps(search)) {
      land(content.current);
    }
  }, [pathname, search, state, isBack, takesFocus, content]);
  useSessionChange(content);
}

/** Focuses the content when signing in or out replaces the page and removes the focused element. */
function useSessionChange(content: RefObject<HTMLElement | null>): void {
  const isSignedIn = useSession().data?.signedIn;
  const before = useRef(isSignedIn);
  useEffect(() => {
    const isChange = before.current !== undefined && before.current !== isSignedIn;
    before.current = isSignedIn;
    if (isChange && document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [isSignedIn, content]);
}
