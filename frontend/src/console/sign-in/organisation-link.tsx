import { CONSOLE_OIDC_START_PATH } from '@errata/backend/contract/access-api.ts';
import { buttonClass } from '../../ui/form/button-class.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './organisation-link.module.css';

interface OrganisationLinkProps {
  /** Page of the console to come back to. */
  readonly to: string;
}

/** A plain link: the browser leaves for the provider, and comes back signed in. */
export function OrganisationLink({ to }: OrganisationLinkProps) {
  return (
    <a
      className={`${buttonClass('primary')} ${styles.link}`}
      href={`${CONSOLE_OIDC_START_PATH}?to=${encodeURIComponent(to)}`}
    >
      <Icon name="person" />
      Sign in with your organisation
    </a>
  );
}
