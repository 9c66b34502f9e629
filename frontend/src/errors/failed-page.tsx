import { serverDigest } from '../reporting/error-digest.ts';
import { useBorrowedTitle } from '../ui/document-title.ts';
import { APPLICATION_ERROR_TITLE, ApplicationErrorPage } from './application-error-page.tsx';

/** Shows the application-error page inside the client, with title and announcement. */
export function FailedPage({ error }: { readonly error: unknown }) {
  useBorrowedTitle(APPLICATION_ERROR_TITLE);
  const digest = serverDigest(error);
  return (
    <ApplicationErrorPage
      failure={digest === null ? { kind: 'client' } : { kind: 'server', digest }}
      inserted
    />
  );
}
