import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './inline.module.css';

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad';

interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: IconName;
  /** Always text: colour and icon only support it. */
  readonly children: ReactNode;
}

/** Shows a state in one or two words. */
export function Badge({ tone = 'plain', icon, children }: BadgeProps) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      {icon !== undefined && <Icon name={icon} />}
      <span className={styles.text}>{children}</span>
    </span>
  );
}
