import { DEMO_SERVER_ERROR_PATH } from '@errata/backend/contract/routes.ts';
import type { StreamState } from '../../api/live-stream.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './live-empty.module.css';

interface LiveEmptyProps {
  readonly state: StreamState;
  readonly hasDemo: boolean;
}

/** Nothing has come yet: that is good news, or there is no connection. */
export function LiveEmpty({ state, hasDemo }: LiveEmptyProps) {
  const isFollowing = state === 'open' || state === 'connecting';
  return (
    <div className={styles.empty}>
      <div className={isFollowing ? styles.sign : `${styles.sign} ${styles.still}`}>
        <Icon name={isFollowing ? 'live' : 'offline'} />
      </div>
      <h2 className={styles.title}>
        {isFollowing ? 'Waiting for the next error…' : 'No connection to the server'}
      </h2>
      <p>
        {isFollowing
          ? 'What fails in a browser or on the server stands here within about a second.'
          : 'Nothing is lost meanwhile: what fails is kept, and this page connects again by itself.'}
      </p>
      {isFollowing && hasDemo && (
        <p>
          Make one:{' '}
          <a href={`${DEMO_SERVER_ERROR_PATH}?id=live`} target="_blank" rel="noreferrer">
            break the server (in a new tab)
          </a>
        </p>
      )}
    </div>
  );
}
