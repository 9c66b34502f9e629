import type { Dispatch } from 'react';
import type { StreamState } from '../../api/live-stream.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './live-page.module.css';
import type { LiveMove, Pause } from './live-rows.ts';

interface LiveBarProps {
  readonly state: StreamState;
  readonly pauses: readonly Pause[];
  readonly move: Dispatch<LiveMove>;
}

interface Shown {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly words: string;
}

const STREAMS: Readonly<Record<StreamState, Shown>> = {
  connecting: { icon: 'waiting', tone: 'plain', words: 'Connecting…' },
  open: { icon: 'live', tone: 'good', words: 'Following' },
  reconnecting: { icon: 'waiting', tone: 'warn', words: 'Reconnecting…' },
  refused: { icon: 'offline', tone: 'bad', words: 'Not connected, trying again' },
};
const PAUSED: Shown = { icon: 'pause', tone: 'plain', words: 'Paused' };
const HELD: Shown = { icon: 'pause', tone: 'plain', words: 'Held while you read' };

/** No connection is worse than a pause, and said first. */
function shownFor(state: StreamState, pauses: readonly Pause[]): Shown {
  if (state !== 'open' || pauses.length === 0) return STREAMS[state];
  return pauses.includes('asked') ? PAUSED : HELD;
}

/** The head of the live page: whether it follows, and the switch. */
export function LiveBar({ state, pauses, move }: LiveBarProps) {
  const { icon, tone, words } = shownFor(state, pauses);
  const isPaused = pauses.includes('asked');
  return (
    <div className={styles.bar}>
      <h1 className={styles.title}>Live</h1>
      <output className={styles.state}>
        <Badge icon={icon} tone={tone}>
          {words}
        </Badge>
      </output>
      <Button onClick={() => move({ type: isPaused ? 'resume' : 'pause', why: 'asked' })}>
        <Icon name={isPaused ? 'play' : 'pause'} />
        {isPaused ? 'Go on' : 'Pause'}
      </Button>
    </div>
  );
}
