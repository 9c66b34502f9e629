import { NavLink } from 'react-router';
import styles from './console-nav.module.css';
import { DELIVERY_PATH, FIND_PATH, ISSUES_PATH, LIVE_PATH } from '../shared/paths.ts';

/** The console's four pages; the current one is named to a screen reader too. */
export function ConsoleNav() {
  return (
    <nav aria-label="Console">
      <ul className={styles.pages}>
        <li>
          <NavLink className={styles.page} to={FIND_PATH} end>
            Find
          </NavLink>
        </li>
        <li>
          <NavLink className={styles.page} to={ISSUES_PATH}>
            Issues
          </NavLink>
        </li>
        <li>
          <NavLink className={styles.page} to={LIVE_PATH}>
            Live
          </NavLink>
        </li>
        <li>
          <NavLink className={styles.page} to={DELIVERY_PATH}>
            Delivery
          </NavLink>
        </li>
      </ul>
    </nav>
  );
}
