import { useDocumentTitle } from '../ui/document-title.ts';
import { ApplicationErrorPage, type ApplicationFailure } from './application-error-page.tsx';
import { APPLICATION_ERROR_TITLE } from './page-titles.ts';

/** The application-error page inside a living client: titled, and announced. */
export function FailedPage({ failure }: { readonly failure: ApplicationFailure }) {
  useDocumentTitle(APPLICATION_ERROR_TITLE);
  return <ApplicationErrorPage failure={failure} inserted />;
}
