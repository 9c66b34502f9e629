import { Notice } from '../../ui/notice.tsx';

/** Tells that no sign-in method is configured. `detail` is the server's own sentence, if it sent one (403). */
export function ClosedNotice({ detail }: { readonly detail: string | null }) {
  return (
    <Notice icon="closed" title="The console is closed" level="h1">
      <p>{detail ?? 'No sign-in method is configured.'}</p>
      <p>
        Start the server with <code>ERRATA_CONSOLE_TOKEN</code> (or <code>ERRATA_CONSOLE_TOKEN_FILE</code>) or{' '}
        <code>OIDC_ISSUER</code> to open the console. Errors are still stored and delivered.
      </p>
    </Notice>
  );
}
