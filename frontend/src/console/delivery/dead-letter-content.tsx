import type { DeadLetterItem } from '@errata/backend/contract/delivery-api.ts';
import { hasStatus } from '../../api/api-error.ts';
import { useDeadLetter } from '../../api/delivery.ts';
import { formatBytes } from '../../ui/format/bytes.ts';
import { counted } from '../../ui/format/count.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import styles from './dead-letter-content.module.css';

function Item({ item }: { readonly item: DeadLetterItem }) {
  const { type, bytes, text } = item;
  return (
    <li>
      <h4 className={styles.type}>
        {type} <span className={styles.size}>{formatBytes(bytes)}</span>
      </h4>
      {text === null ? (
        <p className={styles.remark}>No JSON: not shown.</p>
      ) : (
        // Wide and long texts scroll; the keyboard has to get there too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className={styles.text} tabIndex={0} aria-label={`Content of ${type}`}>
          <pre>{text}</pre>
        </section>
      )}
    </li>
  );
}

/** What is in a dead letter, scrubbed by the server. */
export function DeadLetterContent({ id }: { readonly id: string }) {
  const { data, error, refetch } = useDeadLetter(id);
  // Sent again or discarded while it was open: the list is about to know.
  if (hasStatus(error, 404)) return <p className={styles.remark}>It is not here any more.</p>;
  if (error !== null) {
    return <ProblemNotice what="The dead letter" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton label="Loading the dead letter" lines={4} />;
  return (
    <div className={styles.content}>
      <p className={styles.remark}>
        {counted(data.items.length, 'item', 'items')}. Secrets are filtered here; what is sent again is the
        envelope as it came.
      </p>
      {data.unread !== null && <p className={styles.remark}>{data.unread}</p>}
      <ol className={styles.items}>
        {data.items.map((item, index) => (
          <Item key={index} item={item} />
        ))}
      </ol>
    </div>
  );
}
