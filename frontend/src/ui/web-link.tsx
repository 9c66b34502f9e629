import type { ReactNode } from 'react';

interface WebLinkProps {
  readonly url: string;
  readonly children?: ReactNode;
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

/**
 * An address out of an event: a link when it is one of the web, else the words alone. Events come from strangers; a
 * `javascript:` or `data:` address must never be something to click on.
 */
export function WebLink({ url, children = url }: WebLinkProps) {
  if (!isWeb(url)) return <span>{children}</span>;
  return (
    <a href={url} rel="noreferrer noopener">
      {children}
    </a>
  );
}
