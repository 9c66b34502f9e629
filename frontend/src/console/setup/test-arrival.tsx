import type { LiveEvent } from '@errata/backend/contract/live-api.ts';
import type { LiveState } from '../../api/live.ts';
import { useSendTestError } from '../../api/setup.ts';
import { Button } from '../../ui/form/button.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { errorText } from '../shared/error-text.ts';
import { answerPath } from '../shared/paths.ts';
import styles from './setup-page.module.css';

interface ArrivalProps {
  /** The test error, once it has arrived. */
  readonly event: LiveEvent | undefined;
  readonly state: LiveState;
  /** Text before it arrives. */
  readonly waiting: string;
}

/** Says whether the test error has arrived; a screen reader hears it. */
export function Arrival({ event, state, waiting }: ArrivalProps) {
  if (event === undefined) {
    const isFollowing = state === 'open' || state === 'connecting';
    return (
      <output className={styles.arrival}>
        <Icon name={isFollowing ? 'waiting' : 'offline'} />
        <span>
          {isFollowing ? waiting : 'No connection to the server. This page reconnects automatically.'}
        </span>
      </output>
    );
  }
  return (
    <output className={`${styles.arrival} ${styles.arrived}`}>
      <Icon name="done" />
      <span>
        Arrived at <TimeText time={event.time} form="clock" />:{' '}
        <Link to={answerPath(event, event.eventId)}>
          {event.digest} {event.title}
        </Link>
      </span>
    </output>
  );
}

interface SendTestErrorProps extends Omit<ArrivalProps, 'waiting'> {
  readonly dsn: string;
  readonly tunnel: string;
  readonly message: string;
}

/** Sends a test error from this page, which is a browser like any other, and shows that it arrives. */
export function SendTestError({ dsn, tunnel, message, event, state }: SendTestErrorProps) {
  const send = useSendTestError();
  return (
    <>
      <div>
        <Button
          look="primary"
          disabled={send.isPending}
          onClick={() => send.mutate({ dsn, tunnel, message })}
        >
          Send a test error
        </Button>
      </div>
      {send.error !== null && (
        <Notice icon="alert" title="The test error was not accepted" urgent>
          <p>{errorText(send.error)}</p>
        </Notice>
      )}
      <Arrival
        event={event}
        state={state}
        waiting={
          send.isSuccess
            ? 'Sent. Waiting for it to arrive…'
            : 'Sends an error from this page through the tunnel.'
        }
      />
    </>
  );
}
