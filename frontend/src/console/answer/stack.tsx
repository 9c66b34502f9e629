import type { FrameDetail, SourceLine } from '@errata/backend/contract/event-api.ts';
import { counted } from '../../ui/format/count.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { lacksSource, stackParts } from './stack-parts.ts';
import styles from './stack.module.css';

function placeOf({ line, column }: FrameDetail): string {
  if (line === null) return '';
  return column === null ? `:${line}` : `:${line}:${column}`;
}

/** Shows one frame: file, position, function and whether it is in app. */
function FrameLine({ frame }: { readonly frame: FrameDetail }) {
  return (
    <span className={styles.line}>
      <code className={styles.file}>
        {frame.file}
        <span className={styles.place}>{placeOf(frame)}</span>
      </code>
      {frame.function !== null && <code className={styles.function}>{frame.function}</code>}
      {frame.own && <span className={styles.own}>in app</span>}
    </span>
  );
}

interface SourceExcerptProps {
  readonly lines: readonly SourceLine[];
  /** Number of the failing line. */
  readonly failing: number | null;
}

/** Shows the lines around the failing one. They wrap instead of scrolling, so the text fits 320 px. */
function SourceExcerpt({ lines, failing }: SourceExcerptProps) {
  return (
    <div className={styles.excerpt}>
      {lines.map(({ number, text }) => (
        <div
          key={number}
          className={number === failing ? `${styles.sourceLine} ${styles.failing}` : styles.sourceLine}
        >
          <span className={styles.number}>
            {number === failing && <VisuallyHidden>failing line </VisuallyHidden>}
            {number}
          </span>
          <code className={styles.text}>{text}</code>
        </div>
      ))}
    </div>
  );
}

function OwnFrame({ frame }: { readonly frame: FrameDetail }) {
  if (frame.source.length === 0) {
    return (
      <div className={styles.plain}>
        <FrameLine frame={frame} />
      </div>
    );
  }
  return (
    <details open>
      <summary className={styles.summary}>
        <FrameLine frame={frame} />
      </summary>
      <SourceExcerpt lines={frame.source} failing={frame.line} />
    </details>
  );
}

function ForeignFrames({ frames }: { readonly frames: readonly FrameDetail[] }) {
  return (
    <details>
      <summary className={`${styles.summary} ${styles.folded}`}>
        {counted(frames.length, 'frame hidden', 'frames hidden')}
      </summary>
      <ol className={styles.foreign}>
        {frames.map((frame, index) => (
          <li key={index}>
            <FrameLine frame={frame} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Shows the stack, newest call first: in-app frames open with their source, others folded. */
export function Stack({ frames }: { readonly frames: readonly FrameDetail[] }) {
  if (frames.length === 0) return <p className={styles.stackNone}>No stack trace</p>;
  return (
    <>
      <ol className={styles.stack}>
        {stackParts(frames).map((part, index) => (
          <li key={index} className={styles.part}>
            {part.kind === 'own' ? <OwnFrame frame={part.frame} /> : <ForeignFrames frames={part.frames} />}
          </li>
        ))}
      </ol>
      {lacksSource(frames) && (
        <p className={styles.stackNone}>
          No source lines: the source map does not contain them. With TypeScript, compile with{' '}
          <code>inlineSources</code>.
        </p>
      )}
    </>
  );
}
