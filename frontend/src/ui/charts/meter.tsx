import styles from './charts.module.css';

interface MeterProps {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
  /** What the share stands for, read out in its place: "3.1 MiB of 512 MiB". */
  readonly text: string;
  readonly tone: 'plain' | 'warn' | 'bad';
}

/** How full something is. The browser draws it: the policy of the page allows no width in a style attribute. */
export function Meter({ label, share, text, tone }: MeterProps) {
  return (
    <meter
      className={`${styles.meter} ${styles[tone]}`}
      value={Math.min(1, Math.max(0, share))}
      aria-label={label}
      aria-valuetext={text}
    >
      {text}
    </meter>
  );
}
