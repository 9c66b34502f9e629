import styles from './tips.module.css';

/** What was read as an id: the reasons nothing here can know of. */
export function IdTips() {
  return (
    <ul className={styles.tips}>
      <li>
        It may be on its way: a browser that was offline reports when it is back, up to seven days later.
      </li>
      <li>
        A symbol may be misread. Case, spaces and hyphens do not matter, and <code>O</code>, <code>I</code>{' '}
        and <code>L</code> are taken for <code>0</code>, <code>1</code> and <code>1</code>.
      </li>
      <li>It may come from another installation.</li>
    </ul>
  );
}

export function TextTips() {
  return (
    <ul className={styles.tips}>
      <li>
        A digest or a reference looks like <code>7KQ4-M2XD</code>; four symbols of it are enough.
      </li>
      <li>An event id is 32 hex digits; the browser console has it under the error page’s sentence.</li>
      <li>
        Search by <code>release:1.4.2</code>, <code>user:ann@example.org</code>, <code>url:/checkout</code> or{' '}
        <code>"part of the message"</code>.
      </li>
    </ul>
  );
}
