import { Notice } from '../../ui/notice.tsx';

/** `detail` is the server's own sentence when it gave one (403); the session's answer alone has none. */
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
