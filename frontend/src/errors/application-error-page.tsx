import { CLIENT_ERROR_TEXT, SERVER_ERROR_TEXT } from '@errata/backend/contract/texts.ts';
import styles from './error-pages.module.css';

/** Title of the browser tab, with and without a script. */
export const APPLICATION_ERROR_TITLE = 'Application error';

/** What failed: the page itself, or the server behind it (then its digest names the fault). */
export type ApplicationFailure =
  { readonly kind: 'client' } | { readonly kind: 'server'; readonly digest: string };

interface ApplicationErrorPageProps {
  readonly failure: ApplicationFailure;
  /** Put into a living page: a screen reader is told. A page that was loaded is read anyway. */
  readonly inserted?: boolean;
}

/** The exact sentence and, for a failure of the server, its digest; nothing else, by rule (docs: the error pages). */
export function ApplicationErrorPage({ failure, inserted = false }: ApplicationErrorPageProps) {
  return (
    <main className={styles.page}>
      <div className={styles.slip} role={inserted ? 'alert' : undefined}>
        <h1 className={styles.sentence}>
          {failure.kind === 'server' ? SERVER_ERROR_TEXT : CLIENT_ERROR_TEXT}
        </h1>
        {failure.kind === 'server' && (
          <p className={styles.digest}>
            Digest: <code>{failure.digest}</code>
          </p>
        )}
      </div>
    </main>
  );
}
