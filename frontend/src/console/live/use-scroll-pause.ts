import { useEffect, type Dispatch } from 'react';
import type { LiveMove } from './live-rows.ts';

/** Far enough from the top that rows coming in above would move what is read. */
const SCROLLED_PX = 80;

/** The list stands still while somebody is further down. */
export function useScrollPause(move: Dispatch<LiveMove>): void {
  useEffect(() => {
    const onScroll = () => move({ type: window.scrollY > SCROLLED_PX ? 'pause' : 'resume', why: 'scrolled' });
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [move]);
}
