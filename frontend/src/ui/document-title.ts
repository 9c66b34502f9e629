import { useEffect } from 'react';

/**
 * Sets the title of the tab. An effect, not a `<title>` element: index.html has one already, and the first one wins.
 */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
