import { useEffect } from 'react';

/** The tab's title. An effect, not a `<title>` element: index.html has one already, and the first one would win. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
