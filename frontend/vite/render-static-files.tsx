import type { ClientRoute } from '@errata/backend/contract/routes.ts';
import { DIGEST_PLACEHOLDER, HELP_PLACEHOLDER } from '@errata/backend/contract/texts.ts';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { routes } from '../src/app/routes.tsx';
import { APPLICATION_ERROR_TITLE, ApplicationErrorPage } from '../src/errors/application-error-page.tsx';
import pageCss from '../src/errors/error-pages.module.css?inline';
import { NOT_FOUND_TITLE, NotFoundPage } from '../src/errors/not-found-page.tsx';
import tokensCss from '../src/ui/tokens.css?inline';
import { StaticPage } from './static-page.tsx';

/** Files that the build writes beside the client, rendered from the client's own sources. */
export interface StaticFiles {
  readonly errorHtml: string;
  readonly notFoundHtml: string;
  readonly routes: readonly ClientRoute[];
}

/** Removes comments, white space and the tokens that no rule uses, which cost bytes before the first text. */
export function squeeze(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/(--[\w-]+):[^;]+;/g, (token, name: string) => (css.includes(`var(${name})`) ? token : ''))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .trim();
}

function document(title: string, page: ReactElement): string {
  const css = squeeze(`${tokensCss}${pageCss}`);
  return `<!doctype html>${renderToStaticMarkup(
    <StaticPage title={title} css={css}>
      {page}
    </StaticPage>,
  )}\n`;
}

export function renderStaticFiles(): StaticFiles {
  return {
    errorHtml: document(
      APPLICATION_ERROR_TITLE,
      <ApplicationErrorPage
        failure={{ kind: 'server', digest: DIGEST_PLACEHOLDER }}
        help={HELP_PLACEHOLDER}
      />,
    ),
    notFoundHtml: document(NOT_FOUND_TITLE, <NotFoundPage help={HELP_PLACEHOLDER} />),
    routes: routes.map(({ path, demo, noindex }) => ({
      path,
      ...(demo === true && { demo }),
      ...(noindex === true && { noindex }),
    })),
  };
}
