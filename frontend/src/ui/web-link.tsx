import type { ReactNode } from 'react';

interface WebLinkProps {
  readonly url: string;
  readonly children?: ReactNode;
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

/**
 * Shows a URL of an event: as a link when it is http or https, else as text. Events come from strangers; a
 * `javascript:` or `data:` URL must never be clickable.
 */
export function WebLink({ url, children = url }: WebLinkProps) {
  if (!isWeb(url)) return <span>{children}</span>;
  return (
    <a href={url} rel="noreferrer noopener">
      {children}
    </a>
  );
}
