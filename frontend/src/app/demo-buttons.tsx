import { DEMO_CLIENT_ERROR_PATH, DEMO_SERVER_ERROR_PATH } from '@errata/backend/contract/routes.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { newEventId } from '../reporting/event-id.ts';
import { buttonClass } from '../ui/form/button-class.ts';
import styles from './demo-buttons.module.css';

/** No such page, and never one: the server must answer it with a real 404. */
const MISSING_PATH = '/no-such-page';

/** Three ways to fail, each ending on the real page. The id is another one every time, the digest the same. */
export function DemoButtons() {
  const [id] = useState(newEventId);
  return (
    <ul className={styles.buttons}>
      <li className={styles.way}>
        <a className={buttonClass('plain')} href={`${DEMO_SERVER_ERROR_PATH}?id=${id}`}>
          Break the server
        </a>
        <p className={styles.remark}>A request throws; the answer is a page with a digest.</p>
      </li>
      <li className={styles.way}>
        <Link className={buttonClass('plain')} to={DEMO_CLIENT_ERROR_PATH}>
          Break this page
        </Link>
        <p className={styles.remark}>A component throws while it renders.</p>
      </li>
      <li className={styles.way}>
        <a className={buttonClass('plain')} href={MISSING_PATH}>
          Open a missing page
        </a>
        <p className={styles.remark}>An address nobody knows, answered with a true 404.</p>
      </li>
    </ul>
  );
}
