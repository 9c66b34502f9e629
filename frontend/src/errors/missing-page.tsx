import { useDocumentTitle } from '../ui/document-title.ts';
import { NoIndex } from '../ui/no-index.tsx';
import { NOT_FOUND_TITLE, NotFoundPage } from './not-found-page.tsx';

/** The not-found page inside the client: an address the client does not know answers 200, so it must say noindex. */
export function MissingPage() {
  useDocumentTitle(NOT_FOUND_TITLE);
  return (
    <>
      <NoIndex />
      <NotFoundPage />
    </>
  );
}
