import { CLIENT_ERROR_TEXT, SERVER_ERROR_TEXT } from '@errata/backend/contract/texts.ts';
import type { ReactNode } from 'react';
import styles from './error-pages.module.css';

/** Title of the browser tab, with and without a script. */
export const APPLICATION_ERROR_TITLE = 'Application error';

/** The client failed, or the server did, with the digest of its error. */
export type ApplicationFailure =
  { readonly kind: 'client' } | { readonly kind: 'server'; readonly digest: string };

interface ApplicationErrorPageProps {
  readonly failure: ApplicationFailure;
  /** Rendered into a loaded page: screen readers must announce it. */
  readonly inserted?: boolean;
  /** What helpful pages add. */
  readonly help?: ReactNode;
}

/**
 * Shows the exact sentence and, for a failure of the server, its digest; nothing else without `help`. The text is English in any page,
 * so its direction is fixed.
 */
export function ApplicationErrorPage({ failure, inserted = false, help }: ApplicationErrorPageProps) {
  return (
    <main className={styles.page} dir="ltr">
      <div className={styles.slip} role={inserted ? 'alert' : undefined}>
        <h1 className={styles.sentence}>
          {failure.kind === 'server' ? SERVER_ERROR_TEXT : CLIENT_ERROR_TEXT}
        </h1>
        {failure.kind === 'server' && (
          <p className={styles.digest}>
            Digest: <code>{failure.digest}</code>
          </p>
        )}
        {help}
      </div>
    </main>
  );
}
