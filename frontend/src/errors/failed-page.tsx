import { serverFailure } from '../reporting/error-digest.ts';
import { thrownResponse } from '../reporting/thrown-response.ts';
import { useBorrowedTitle } from '../ui/document-title.ts';
import { APPLICATION_ERROR_TITLE, ApplicationErrorPage } from './application-error-page.tsx';
import { MissingPage } from './missing-page.tsx';

function BrokenPage({ error }: { readonly error: unknown }) {
  useBorrowedTitle(APPLICATION_ERROR_TITLE);
  const failure = serverFailure(error);
  return (
    <ApplicationErrorPage
      failure={failure === null ? { kind: 'client' } : { kind: 'server', digest: failure.digest }}
      inserted
    />
  );
}

/**
 * Shows the application-error page inside the client, with title and announcement; for a response of 4xx that the application or
 * its router has thrown the page that the server has for that status.
 */
export function FailedPage({ error }: { readonly error: unknown }) {
  const response = thrownResponse(error);
  if (response?.isRefusal !== true) return <BrokenPage error={error} />;
  const { status, statusText } = response;
  return status === 404 ? <MissingPage /> : <MissingPage status={status} statusText={statusText} />;
}
