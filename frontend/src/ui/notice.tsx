import type { ReactNode } from 'react';
import styles from './block.module.css';
import { Icon, type IconName } from './icon.tsx';

interface NoticeProps {
  readonly icon: IconName;
  readonly title: string;
  /** h1 where the notice is the only content of the page. */
  readonly level?: 'h1' | 'h2';
  /** Announces it at once; for an error while the user waits. */
  readonly urgent?: boolean;
  readonly children?: ReactNode;
}

const TONES: Partial<Readonly<Record<IconName, 'good' | 'bad'>>> = { done: 'good', alert: 'bad' };

/** Shows one state: empty, closed, not found, failed. */
export function Notice({ icon, title, level: Heading = 'h2', urgent = false, children }: NoticeProps) {
  return (
    <div
      className={Heading === 'h1' ? `${styles.notice} ${styles.alone}` : styles.notice}
      role={urgent ? 'alert' : undefined}
    >
      <div className={`${styles.sign} ${styles[TONES[icon] ?? 'plain']}`}>
        <Icon name={icon} />
      </div>
      <Heading className={styles.noticeTitle}>{title}</Heading>
      <div className={styles.noticeBody}>{children}</div>
    </div>
  );
}
