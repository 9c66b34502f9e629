import type { EventDelivery } from '@errata/backend/contract/delivery-api.ts';
import { Link } from 'react-router';
import { counted } from '../../ui/format/count.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { deadLetterPath } from '../shared/paths.ts';
import { reasonWords } from '../shared/reason-labels.ts';
import styles from './delivery-line.module.css';

type State = EventDelivery['state'];
type Look = readonly [icon: IconName, tone: 'good' | 'warn' | 'bad' | 'plain', words: string];

const LOOKS: Readonly<Record<State, Look>> = {
  forwarded: ['done', 'good', 'forwarded'],
  kept_here: ['done', 'plain', 'kept here; its project has no upstream'],
  waiting: ['waiting', 'warn', 'waiting'],
  dead_lettered: ['alert', 'bad', 'not taken: a dead letter'],
  expired: ['alert', 'bad', 'grew too old while it waited'],
  shed: ['alert', 'bad', 'let go of to make room'],
  discarded: ['cross', 'plain', 'discarded by an operator'],
  unknown: ['help', 'plain', 'not known now'],
};

/** Where this very event is on its way upstream: the proof that it is not lost. */
export function DeliveryLine({ delivery }: { readonly delivery: EventDelivery }) {
  const { state, time, tries, reason, upstream, deadLetterId } = delivery;
  const [icon, tone, words] = LOOKS[state];
  return (
    <span className={styles.line}>
      <span className={`${styles.state} ${styles[tone]}`}>
        <Icon name={icon} />
        {words}
      </span>
      {upstream !== null && state !== 'kept_here' && <span>{upstream}</span>}
      {time !== null && <TimeText time={time} form="absolute" />}
      {reason !== null && <span>{reasonWords(reason)}</span>}
      {tries !== null && tries > 1 && <span>{counted(tries, 'try', 'tries')}</span>}
      {deadLetterId !== null && <Link to={deadLetterPath(deadLetterId)}>Send it again under Delivery</Link>}
    </span>
  );
}
