import { useBorrowedTitle } from '../ui/document-title.ts';
import { NoIndex } from '../ui/no-index.tsx';
import { NOT_FOUND_TITLE, NotFoundPage } from './not-found-page.tsx';

/** Shows the not-found page inside the client. The server answered 200, so the page must set noindex. */
export function MissingPage() {
  useBorrowedTitle(NOT_FOUND_TITLE);
  return (
    <>
      <NoIndex />
      <NotFoundPage />
    </>
  );
}
