import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isConsolePath } from '../contract/routes.ts';
import { DIGEST_PLACEHOLDER, NOT_FOUND_HEADING, NOT_FOUND_TEXT } from '../contract/texts.ts';

/**
 * A page, and the headers of its policy: for a page of Errata's own, one that allows only its own style sheet. Any page may
 * frame it by that policy: without a script and a form it is no target of clickjacking.
 */
export interface ErrorPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The two static pages that frontend/vite writes, read once at start, so that they need no disk when something fails. */
export class ErrorPages {
  readonly #error: ErrorPage;
  readonly #notFound: ErrorPage;
  #clientNotFound: () => ErrorPage | undefined = () => undefined;

  constructor(errorHtml: string, notFoundHtml: string) {
    this.#error = withPolicy(errorHtml);
    this.#notFound = withPolicy(notFoundHtml);
  }

  /**
   * Reads `error.html` and `404.html` of the first client that has each. A page of another team's client without the text
   * that is replaced in it could show no digest and no other status, so it comes last.
   *
   * @throws Error when no client has one, because the client is not built.
   */
  static read(clientDirs: readonly string[]): ErrorPages {
    const read = (name: string, replaced: string): string => {
      const paths = clientDirs.map((clientDir) => join(clientDir, name));
      const pages = paths.filter(isFile).map((path) => readFileSync(path, 'utf8'));
      const page = pages.find((html) => html.includes(replaced)) ?? pages[0];
      if (page === undefined) throw new Error(`${paths.join(' and ')} do not exist. Run make build.`);
      return page;
    };
    return new ErrorPages(read('error.html', DIGEST_PLACEHOLDER), read('404.html', NOT_FOUND_TEXT));
  }

  /** Sets the not-found page of another team's client, before the first request. */
  useNotFoundOf(client: () => ErrorPage | undefined): void {
    this.#clientNotFound = client;
  }

  /** Returns the client's own page where it has one; paths of the console have Errata's. @param path without the base path. */
  notFound(path: string): ErrorPage {
    return isConsolePath(path) ? this.#notFound : (this.#clientNotFound() ?? this.#notFound);
  }

  /** Returns the page of a failure on the server. @param digest letters, digits, `-` and `_`. */
  serverError(digest: string): ErrorPage {
    return { ...this.#error, html: this.#error.html.replaceAll(DIGEST_PLACEHOLDER, escapeHtml(digest)) };
  }

  /**
   * Returns the not-found page; for any other 4xx status the same layout with that status and title. `advice` is a second
   * sentence of the page's text.
   */
  refusal(status: number, title: string, advice: string | null = null): ErrorPage {
    if (String(status) === NOT_FOUND_HEADING) return this.#notFound;
    const text = advice === null ? title : `${title}. ${advice}`;
    const html = this.#notFound.html
      .replace(`: ${NOT_FOUND_TEXT}</title>`, () => `: ${escapeHtml(title)}</title>`)
      .replaceAll(NOT_FOUND_TEXT, () => escapeHtml(text))
      .replaceAll(`>${NOT_FOUND_HEADING}`, `>${status}`);
    return { ...this.#notFound, html };
  }
}

function withPolicy(html: string): ErrorPage {
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, css]) =>
      `'sha256-${createHash('sha256')
        .update(css ?? '')
        .digest('base64')}'`,
  );
  const styleSource = styles.length > 0 ? styles.join(' ') : "'none'";
  return {
    html,
    headers: {
      'Content-Security-Policy': `default-src 'none'; style-src ${styleSource}; base-uri 'none'; form-action 'none'`,
    },
  };
}

/** Only a regular file is read: a FIFO never ends. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function escapeHtml(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);
}
