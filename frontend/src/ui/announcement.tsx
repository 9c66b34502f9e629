import styles from './inline.module.css';

/** Tells a screen reader of what changed in sight. Must be in the page before it has something to say. */
export function Announcement({ text }: { readonly text: string }) {
  return <output className={styles.hidden}>{text}</output>;
}
