import type { Dispatch } from 'react';
import type { LiveState } from '../../api/live.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './live-page.module.css';
import type { LiveAction, PauseReason } from './live-rows.ts';

interface LiveBarProps {
  readonly state: LiveState;
  readonly pauses: readonly PauseReason[];
  readonly dispatch: Dispatch<LiveAction>;
}

interface Shown {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly label: string;
}

const STATES: Readonly<Record<LiveState, Shown>> = {
  connecting: { icon: 'waiting', tone: 'plain', label: 'Connecting…' },
  open: { icon: 'live', tone: 'good', label: 'Live' },
  reconnecting: { icon: 'waiting', tone: 'warn', label: 'Reconnecting…' },
  refused: { icon: 'offline', tone: 'bad', label: 'Disconnected, reconnecting' },
};
const PAUSED: Shown = { icon: 'pause', tone: 'plain', label: 'Paused' };
const READING: Shown = { icon: 'pause', tone: 'plain', label: 'Paused while scrolling' };

/** Returns the label of the state; a lost connection comes before a pause. */
function shownFor(state: LiveState, pauses: readonly PauseReason[]): Shown {
  if (state !== 'open' || pauses.length === 0) return STATES[state];
  return pauses.includes('button') ? PAUSED : READING;
}

/** The head of the live page: connection state and pause button. */
export function LiveBar({ state, pauses, dispatch }: LiveBarProps) {
  const { icon, tone, label } = shownFor(state, pauses);
  const isPaused = pauses.includes('button');
  return (
    <div className={styles.bar}>
      <h1 className={styles.title}>Live</h1>
      <output className={styles.state}>
        <Badge icon={icon} tone={tone}>
          {label}
        </Badge>
      </output>
      <Button onClick={() => dispatch({ type: isPaused ? 'resume' : 'pause', reason: 'button' })}>
        <Icon name={isPaused ? 'play' : 'pause'} />
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </div>
  );
}
