import type { FrameDetail } from '@errata/backend/contract/event-api.ts';
import { counted } from '../../ui/format/count.ts';
import { FrameLine } from './frame-line.tsx';
import { SourceExcerpt } from './source-excerpt.tsx';
import { stackParts } from './stack-parts.ts';
import styles from './stack.module.css';

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
        {counted(frames.length, 'framework frame', 'framework frames')}
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

/** The stack, newest call first: own code open with its lines, everything else folded. */
export function Stack({ frames }: { readonly frames: readonly FrameDetail[] }) {
  if (frames.length === 0) return <p className={styles.none}>Without a stack.</p>;
  return (
    <ol className={styles.stack}>
      {stackParts(frames).map((part, index) => (
        <li key={index} className={styles.part}>
          {part.kind === 'own' ? <OwnFrame frame={part.frame} /> : <ForeignFrames frames={part.frames} />}
        </li>
      ))}
    </ol>
  );
}
