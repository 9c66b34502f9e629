import type { ReactNode } from 'react';

interface StaticPageProps {
  readonly title: string;
  readonly css: string;
  readonly children: ReactNode;
}

/**
 * Renders the document around a static page: one inline style sheet and no `style` attribute, so a policy with one hash
 * covers it; no script and no second request. The texts are English, so the direction is fixed.
 */
export function StaticPage({ title, css, children }: StaticPageProps) {
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style>{css}</style>
      </head>
      <body>{children}</body>
    </html>
  );
}
