import type { Plugin } from 'vite';

const ENTRY = '<script type="module" ';

/**
 * Blocks painting until the entry script has run, because that script applies the stored theme: otherwise a dark page
 * flashes white first. This costs nothing, since the page is empty without the script.
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
