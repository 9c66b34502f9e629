import { DEMO_CLIENT_ERROR_PATH, DEMO_SERVER_ERROR_PATH } from '@errata/backend/contract/routes.ts';
import { useState } from 'react';
import { atServer } from '../api/base-path.ts';
import { useFailingRequest } from '../api/demo.ts';
import { newEventId } from '../reporting/event-id.ts';
import { buttonClass } from '../ui/form/button-class.ts';
import { Link } from '../ui/link.tsx';
import styles from './shell-home.module.css';

interface Cart {
  readonly items: readonly string[];
}

/** Returns nothing: the demo has a common bug and expects a value here. */
function findCart(): Cart | undefined {
  return undefined;
}

/** Throws while rendering: the demo's error in the browser. */
export function BrokenPage() {
  const cart = findCart() as Cart;
  return <p>{cart.items.length} items in the cart</p>;
}

/** Sends the request that fails on the server: the browser's event and the server's event carry one digest. */
export function FailedRequestPage() {
  const [id] = useState(newEventId);
  useFailingRequest(id);
  return <main aria-busy="true" />;
}

/** A path that never exists: the server must answer it with a real 404. */
const MISSING_PATH = '/no-such-page';

/** Offers three errors, each with its real error page. The ID differs each time, the digest does not. */
export function DemoButtons() {
  const [id] = useState(newEventId);
  return (
    <ul className={styles.buttons}>
      <li className={styles.way}>
        <a className={buttonClass('plain')} href={atServer(`${DEMO_SERVER_ERROR_PATH}?id=${id}`)}>
          Break the server
        </a>
        <p className={styles.demoRemark}>The server fails and shows an error page with a digest.</p>
      </li>
      <li className={styles.way}>
        <Link className={buttonClass('plain')} to={DEMO_CLIENT_ERROR_PATH}>
          Break this page
        </Link>
        <p className={styles.demoRemark}>A component crashes while rendering.</p>
      </li>
      <li className={styles.way}>
        <a className={buttonClass('plain')} href={atServer(MISSING_PATH)}>
          Open a missing page
        </a>
        <p className={styles.demoRemark}>A URL that does not exist. The server answers 404.</p>
      </li>
    </ul>
  );
}
