import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import styles from './cause.module.css';
import { Stack } from './stack.tsx';

/** The chain of errors: what was thrown, and below it what each one was caused by. */
export function Cause({ event }: { readonly event: EventDetail }) {
  return (
    <>
      {event.unmapped !== null && (
        <p className={styles.unmapped}>
          <strong>This stack is minified.</strong> {event.unmapped}
        </p>
      )}
      {event.exceptions.length === 0 && <p className={styles.none}>The event carries no stack.</p>}
      <ol className={styles.chain}>
        {event.exceptions.map((exception, index) => (
          <li key={index} className={styles.exception}>
            <h3 className={styles.title}>
              {index > 0 && <span className={styles.because}>caused by</span>}
              <span className={styles.type}>{exception.type}</span>
              <span className={styles.value}>{exception.value}</span>
            </h3>
            <Stack frames={exception.frames} />
          </li>
        ))}
      </ol>
    </>
  );
}
