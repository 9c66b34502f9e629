import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type RefObject } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/**
 * Back from what a row led to, the row has the focus again. Which one it was is kept by the entry of the history,
 * for as long as its list is, and with it.
 */
export function useOpenedRow(content: RefObject<HTMLElement | null>): void {
  const client = useQueryClient();
  const { key } = useLocation();
  const isBack = useNavigationType() === 'POP';

  useEffect(() => {
    const page = content.current;
    const onClick = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest('a[data-row]') : null;
      if (row !== null) client.setQueryData(['row', key], row.getAttribute('href'));
    };
    // Before the link acts on it: then this is another entry.
    page?.addEventListener('click', onClick, { capture: true });
    return () => page?.removeEventListener('click', onClick, { capture: true });
  }, [client, content, key]);

  useEffect(() => {
    const opened = isBack ? client.getQueryData(['row', key]) : undefined;
    if (opened === undefined) return;
    const rows = Array.from(content.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? []);
    rows.find((row) => row.getAttribute('href') === opened)?.focus();
  }, [client, content, key, isBack]);
}
