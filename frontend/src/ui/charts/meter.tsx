import styles from './charts.module.css';

interface MeterProps {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
  /** Text of the share, which screen readers announce: "3.1 MiB of 512 MiB". */
  readonly text: string;
  readonly tone: 'plain' | 'warn' | 'bad';
}

/** Shows a fill level. A <meter>, because the page's policy forbids a width in a style attribute. */
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
