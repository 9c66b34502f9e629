import type { FrameDetail } from '@errata/backend/contract/event-api.ts';
import styles from './frame-line.module.css';

function placeOf({ line, column }: FrameDetail): string {
  if (line === null) return '';
  return column === null ? `:${line}` : `:${line}:${column}`;
}

/** One frame on one line: file, place, function, and whose code it is. */
export function FrameLine({ frame }: { readonly frame: FrameDetail }) {
  return (
    <span className={styles.line}>
      <code className={styles.file}>
        {frame.file}
        <span className={styles.place}>{placeOf(frame)}</span>
      </code>
      {frame.function !== null && <code className={styles.function}>{frame.function}</code>}
      {frame.own && <span className={styles.own}>your code</span>}
    </span>
  );
}
