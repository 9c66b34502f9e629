import { useSession, useSignOut } from '../../api/session.ts';
import { buttonClass } from '../../ui/form/button-class.ts';
import { Menu, MenuButton } from '../../ui/form/menu.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { clearDrafts } from '../shared/note-drafts.ts';
import { ACCOUNT_PATH, SETUP_PATH } from '../shared/paths.ts';
import styles from './menus.module.css';

/** Shows the user and signs out. */
export function AccountMenu() {
  const { data } = useSession();
  const signOut = useSignOut();
  if (data?.signedIn !== true) return null;

  const who = data.who ?? 'Signed in';
  return (
    <Menu
      button={
        <>
          <Icon name="person" />
          <span className={styles.who}>{who}</span>
        </>
      }
    >
      <p className={styles.remark}>
        Signed in{data.who != null && ` as ${data.who}`}
        {data.role != null && <span className={styles.role}>{data.role}</span>}
      </p>
      <Link className={`${buttonClass('quiet')} ${styles.link}`} to={ACCOUNT_PATH}>
        Account and sessions
      </Link>
      <Link className={`${buttonClass('quiet')} ${styles.link}`} to={SETUP_PATH}>
        Set up an application
      </Link>
      {/* The menu unmounts with the session. */}
      <MenuButton
        staysOpen
        onClick={() => signOut.mutate(undefined, { onSuccess: () => clearDrafts(window) })}
      >
        Sign out
      </MenuButton>
      {signOut.isError && (
        <p className={styles.fault} role="alert">
          You are still signed in. Try again.
        </p>
      )}
    </Menu>
  );
}
