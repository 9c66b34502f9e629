import { useAskAgain, useConnection } from '../../api/connection.ts';
import { Button } from '../../ui/form/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './connection-banner.module.css';

const WORDS = {
  offline: 'You are offline: what you see may be old.',
  unreachable: 'The server cannot be reached: what you see may be old.',
} as const;

/** Says that the page has lost its server. The place it is said in stands there from the start, or nobody hears it. */
export function ConnectionBanner() {
  const connection = useConnection();
  const askAgain = useAskAgain();
  return (
    <output className={styles.place}>
      {connection !== 'well' && (
        <div className={styles.banner}>
          <Icon name="offline" />
          <span>{WORDS[connection]}</span>
          {connection === 'unreachable' && (
            <Button look="quiet" onClick={askAgain}>
              Try again
            </Button>
          )}
        </div>
      )}
    </output>
  );
}
