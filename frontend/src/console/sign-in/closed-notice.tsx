import { Notice } from '../../ui/notice.tsx';

/** `detail` is the server's own sentence when it gave one (403); the session's answer alone has none. */
export function ClosedNotice({ detail }: { readonly detail: string | null }) {
  return (
    <Notice icon="closed" title="The console is closed" level="h1">
      <p>{detail ?? 'No sign-in is set up on this server, so nobody can look anything up here.'}</p>
      <p>
        It opens when the server is started with <code>ERRATA_CONSOLE_TOKEN</code> (or{' '}
        <code>ERRATA_CONSOLE_TOKEN_FILE</code>), or with <code>OIDC_ISSUER</code>. Errors are kept and passed
        on meanwhile.
      </p>
    </Notice>
  );
}
