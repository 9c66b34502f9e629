import styles from './inline.module.css';

/** Announces a change to screen readers. Must be mounted before it has text. */
export function Announcement({ text }: { readonly text: string }) {
  return <output className={styles.hidden}>{text}</output>;
}
