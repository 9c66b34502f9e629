import type { Plugin } from 'vite';

const ENTRY = '<script type="module" ';

/**
 * Nothing is painted before the entry script has run, which puts the reader's colours on first: a dark page that
 * flashes white is the rule elsewhere. It costs nothing, since without the script there is nothing to paint.
 *
 * @see https://html.spec.whatwg.org/multipage/urls-and-fetching.html#blocking-attributes
 */
export function blockingScript(): Plugin {
  return {
    name: 'errata:blocking-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        if (html.split(ENTRY).length !== 2) throw new Error('index.html has not one entry script');
        return html.replace(ENTRY, `${ENTRY}blocking="render" `);
      },
    },
  };
}
