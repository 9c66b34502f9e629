import styles from './button.module.css';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

/**
 * Returns the classes of a link that looks like a button. Navigation stays a link, so that the middle mouse button
 * works.
 */
export function buttonClass(look: ButtonLook): string {
  return `${styles.button} ${styles[look]}`;
}
