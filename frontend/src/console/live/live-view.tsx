import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { LiveBar } from './live-bar.tsx';
import { LiveEmpty } from './live-empty.tsx';
import { LiveList } from './live-list.tsx';
import { LiveNews } from './live-news.tsx';
import styles from './live-view.module.css';
import { useLive } from './use-live.ts';
import { useScrollPause } from './use-scroll-pause.ts';

export function LiveView({ hasDemo }: { readonly hasDemo: boolean }) {
  const { rows, state, move } = useLive();
  const list = useRef<HTMLOListElement>(null);
  useScrollPause(move);

  const bring = () => {
    // The first rows bring the list into sight: before, it cannot have the focus.
    flushSync(() => move({ type: 'bring' }));
    window.scrollTo(0, 0);
    // The button is gone with what it brought; the list itself, not a row, or it would stand still again.
    list.current?.focus({ preventScroll: true });
  };

  return (
    <div className={styles.page}>
      <LiveBar state={state} pauses={rows.pauses} move={move} />
      <div>
        <LiveNews count={rows.waitingEvents} onBring={bring} />
        {rows.shown.length === 0 && <LiveEmpty state={state} hasDemo={hasDemo} />}
        <LiveList ref={list} rows={rows.shown} isCut={rows.isCut} move={move} />
      </div>
    </div>
  );
}
