import { useEffect, useRef, type RefObject } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/**
 * Does for a change of page inside the client what a browser does for a loaded one: back to the top, and the focus
 * to the content, where a screen reader goes on. Not after back and forward: there the reader was already.
 */
export function useArrival(content: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  const { pathname } = useLocation();
  const isStep = useNavigationType() === 'POP';
  const place = useRef<string | null>(null);
  useEffect(() => {
    // Another query on the same page is no arrival.
    if (place.current === pathname) return;
    place.current = pathname;
    if (isStep) return;
    window.scrollTo(0, 0);
    if (takesFocus) content.current?.focus({ preventScroll: true });
  }, [pathname, isStep, takesFocus, content]);
}
