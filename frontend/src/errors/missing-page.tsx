import { useBorrowedTitle } from '../ui/document-title.ts';
import { NoIndex } from '../ui/no-index.tsx';
import { NOT_FOUND_TITLE, NotFoundPage, type NotFoundPageProps } from './not-found-page.tsx';

/**
 * Shows the not-found page, or that of another 4xx status, inside the client. The server answered 200, so the page must set
 * noindex.
 */
export function MissingPage(props: NotFoundPageProps) {
  const { status, statusText } = props;
  useBorrowedTitle(status === undefined ? NOT_FOUND_TITLE : [status, statusText].filter(Boolean).join(': '));
  return (
    <>
      <NoIndex />
      <NotFoundPage {...props} />
    </>
  );
}
