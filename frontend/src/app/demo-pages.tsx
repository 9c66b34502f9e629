import { DEMO_CLIENT_ERROR_PATH, DEMO_SERVER_ERROR_PATH } from '@errata/backend/contract/routes.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFailingRequest } from '../api/demo.ts';
import { newEventId } from '../reporting/event-id.ts';
import { buttonClass } from '../ui/form/button-class.ts';
import styles from './shell-home.module.css';

interface Cart {
  readonly items: readonly string[];
}

/** A page with a bug of the commonest kind: it trusts that something is there. */
function findCart(): Cart | undefined {
  return undefined;
}

/** The demo's failure in the browser: throws while rendering. */
export function BrokenPage() {
  const cart = findCart() as Cart;
  return <p>{cart.items.length} items in the cart</p>;
}

/** The demo's failed request: the server fails, the browser notices, and both halves carry one digest. */
export function FailedRequestPage() {
  const [id] = useState(newEventId);
  useFailingRequest(id);
  return <main aria-busy="true" />;
}

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
        <p className={styles.demoRemark}>The server fails and shows an error page with a digest.</p>
      </li>
      <li className={styles.way}>
        <Link className={buttonClass('plain')} to={DEMO_CLIENT_ERROR_PATH}>
          Break this page
        </Link>
        <p className={styles.demoRemark}>A component crashes while rendering.</p>
      </li>
      <li className={styles.way}>
        <a className={buttonClass('plain')} href={MISSING_PATH}>
          Open a missing page
        </a>
        <p className={styles.demoRemark}>A URL that does not exist. The server answers 404.</p>
      </li>
    </ul>
  );
}
