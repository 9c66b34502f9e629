import type { ComponentProps } from 'react';
import { useHref, useLinkClickHandler } from 'react-router';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick' | 'target'> {
  readonly to: string;
  /** Replaces the entry of the history. */
  readonly replace?: boolean;
  /** State of the new entry. */
  readonly state?: unknown;
}

/** A link to a page of the client. React Router's own one brings the code that prefetches pages of its servers. */
export function Link({ to, replace, state, children, ...others }: LinkProps) {
  const onClick = useLinkClickHandler(to, { replace, state });
  return (
    <a {...others} href={useHref(to)} onClick={onClick}>
      {children}
    </a>
  );
}
