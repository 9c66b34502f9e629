import { axe } from 'jest-axe';
import { renderStaticFiles, squeeze } from './render-static-files.tsx';

const { errorHtml, notFoundHtml, routes } = renderStaticFiles();

function parse(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html');
}

it('writes the server text and one place for digest and help each into error.html', () => {
  const page = parse(errorHtml);

  expect(page.body.textContent.trim()).toBe(
    'Application error: a server-side exception has occurred (see the server logs for more information).Digest: %ERRATA_DIGEST%%ERRATA_HELP%',
  );
  expect(errorHtml.split('%ERRATA_DIGEST%')).toHaveLength(2);
  expect(page.title).toBe('Application error');
});

it('writes the not-found text and a place for help into 404.html', () => {
  const page = parse(notFoundHtml);

  expect(page.body.textContent.trim()).toBe('404This page could not be found.%ERRATA_HELP%');
  expect(page.title).toBe('404: This page could not be found.');
});

it.each([
  ['error.html', errorHtml],
  ['404.html', notFoundHtml],
])('needs no script, no second request and no attribute a strict policy forbids (%s)', (_name, html) => {
  const page = parse(html);

  expect(page.querySelectorAll('script, link, img, [style]')).toHaveLength(0);
  expect(page.querySelectorAll('style')).toHaveLength(1);
  expect(page.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex');
  expect(page.documentElement.lang).toBe('en');
});

it.each([
  ['error.html', errorHtml],
  ['404.html', notFoundHtml],
])('has no accessibility violation (%s)', async (_name, html) => {
  expect(await axe(html)).toHaveNoViolations();
});

it('writes the style sheet without comments, white space and tokens that no rule uses', () => {
  const css = ':root {\n  --ink: #111; /* text */\n  --line: #222;\n}\n\np {\n  color: var(--ink);\n}\n';

  expect(squeeze(css)).toBe(':root{--ink:#111;}p{color:var(--ink);}');
});

it('writes the route table for the server', () => {
  expect(routes).toContainEqual({ path: '/' });
  expect(routes).toContainEqual({ path: '/demo/client-error', demo: true, noindex: true });
  expect(routes).toContainEqual({ path: '/console/e/:digest', noindex: true });
});
