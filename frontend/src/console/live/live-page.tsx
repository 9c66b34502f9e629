import { DEMO_SERVER_ERROR_PATH } from '@errata/backend/contract/routes.ts';
import { type Dispatch, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { atServer } from '../../api/base-path.ts';
import type { LiveState } from '../../api/live.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { counted } from '../../ui/format/count.ts';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { SetupHint } from '../lists/setup-hint.tsx';
import { usePageTitle } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import { LiveBar } from './live-bar.tsx';
import { LiveList } from './live-list.tsx';
import styles from './live-page.module.css';
import type { LiveAction } from './live-rows.ts';
import { useLive } from './use-live.ts';

interface LiveEmptyProps {
  readonly state: LiveState;
  readonly hasDemo: boolean;
}

/** Shown before the first event, or without a connection. */
function LiveEmpty({ state, hasDemo }: LiveEmptyProps) {
  const isFollowing = state === 'open' || state === 'connecting';
  return (
    <div className={styles.empty}>
      <div className={isFollowing ? styles.sign : `${styles.sign} ${styles.still}`}>
        <Icon name={isFollowing ? 'live' : 'offline'} />
      </div>
      <h2 className={styles.emptyTitle}>
        {isFollowing ? 'Waiting for the next error…' : 'No connection to the server'}
      </h2>
      <p>
        {isFollowing
          ? 'New errors appear here within a second.'
          : 'Errors are still stored. This page reconnects automatically.'}
      </p>
      {isFollowing && <SetupHint />}
      {isFollowing && hasDemo && (
        <p>
          Create one:{' '}
          <a href={atServer(`${DEMO_SERVER_ERROR_PATH}?id=live`)} target="_blank" rel="noreferrer">
            break the server (in a new tab)
          </a>
        </p>
      )}
    </div>
  );
}

interface NewErrorsProps {
  /** Number of pending events. */
  readonly count: number;
  readonly onShow: () => void;
}

/** Announces steps, not single events: a flood of errors must not become a flood of speech. */
const STEPS = [1_000, 100, 10];

function announcement(count: number): string {
  if (count === 0) return '';
  const step = STEPS.find((least) => count >= least);
  return step === undefined ? 'Show new errors' : `Show more than ${step} new errors`;
}

/** Shows the events that arrived during a pause. */
function NewErrors({ count, onShow }: NewErrorsProps) {
  return (
    <div className={styles.place}>
      <Announcement text={announcement(count)} />
      {count > 0 && (
        <button className={styles.news} type="button" onClick={onShow}>
          <Icon name="up" />
          {counted(count, 'new', 'new')}
          <VisuallyHidden> {count === 1 ? 'error' : 'errors'}: show</VisuallyHidden>
        </button>
      )}
    </div>
  );
}

/** Distance from the top at which new rows would move the row that the user reads. */
const SCROLLED_PX = 80;

/** Pauses the list while the user has scrolled down. */
function useScrollPause(dispatch: Dispatch<LiveAction>): void {
  useEffect(() => {
    const onScroll = () =>
      dispatch({ type: window.scrollY > SCROLLED_PX ? 'pause' : 'resume', reason: 'scrolled' });
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [dispatch]);
}

function LiveView({ hasDemo }: { readonly hasDemo: boolean }) {
  const { rows, state, dispatch } = useLive();
  const list = useRef<HTMLOListElement>(null);
  useScrollPause(dispatch);

  const bring = () => {
    // The list is hidden until it has rows, and a hidden list cannot get the focus.
    flushSync(() => dispatch({ type: 'show_pending' }));
    window.scrollTo(0, 0);
    // The button disappears. The focus goes to the list, not to a row, which would pause the list again.
    list.current?.focus({ preventScroll: true });
  };

  return (
    <div className={styles.page}>
      <LiveBar state={state} pauses={rows.pauses} dispatch={dispatch} />
      <div>
        <NewErrors count={rows.pendingEvents} onShow={bring} />
        {rows.shown.length === 0 && <LiveEmpty state={state} hasDemo={hasDemo} />}
        <LiveList ref={list} rows={rows.shown} isCut={rows.isCut} dispatch={dispatch} />
      </div>
    </div>
  );
}

/** `/console/live`: errors as they arrive. */
export function LivePage({ hasDemo }: { readonly hasDemo: boolean }) {
  usePageTitle('Live');
  return (
    <SessionGate asked={null}>
      <LiveView hasDemo={hasDemo} />
    </SessionGate>
  );
}
