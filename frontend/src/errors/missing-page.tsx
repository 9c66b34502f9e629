import { useDocumentTitle } from '../ui/document-title.ts';
import { NoIndex } from '../ui/no-index.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { NOT_FOUND_TITLE } from './page-titles.ts';

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
