import { serverFailure } from '../reporting/error-digest.ts';
import { useBorrowedTitle } from '../ui/document-title.ts';
import { APPLICATION_ERROR_TITLE, ApplicationErrorPage } from './application-error-page.tsx';

/** Shows the application-error page inside the client, with title and announcement. */
export function FailedPage({ error }: { readonly error: unknown }) {
  useBorrowedTitle(APPLICATION_ERROR_TITLE);
  const failure = serverFailure(error);
  return (
    <ApplicationErrorPage
      failure={failure === null ? { kind: 'client' } : { kind: 'server', digest: failure.digest }}
      inserted
    />
  );
}
