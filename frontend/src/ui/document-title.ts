import { useEffect } from 'react';

/**
 * Sets the title of the tab. An effect, not a `<title>` element: index.html has one already, and the first one wins.
 */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Sets the title of the tab for as long as the component is shown: a page that stands in for another one's. */
export function useBorrowedTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      if (document.title === title) document.title = before;
    };
  }, [title]);
}
