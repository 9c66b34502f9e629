import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  DIGEST_PLACEHOLDER,
  HELP_PLACEHOLDER,
  NOT_FOUND_HEADING,
  NOT_FOUND_TEXT,
} from '../contract/texts.ts';
import { escapeHtml, failureHelp, homeHelp, type PageHelp, type ShownFailure } from './page-help.ts';

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
  readonly #help: PageHelp | null;
  #clientNotFound: (path: string) => ErrorPage | undefined = () => undefined;

  /** @param help of helpful pages; null for the plain ones. */
  constructor(errorHtml: string, notFoundHtml: string, help: PageHelp | null) {
    this.#help = help;
    this.#error = withPolicy(errorHtml);
    this.#notFound = this.#withHome(withPolicy(notFoundHtml));
  }

  /**
   * Reads `error.html` and `404.html` of the first client that has each. A page of another team's client without the text
   * that is replaced in it could show no digest and no other status, so it comes last.
   *
   * @throws Error when no client has one, because the client is not built.
   */
  static read(clientDirs: readonly string[], help: PageHelp | null): ErrorPages {
    const read = (name: string, replaced: string): string => {
      const paths = clientDirs.map((clientDir) => join(clientDir, name));
      const pages = paths.filter(isFile).map((path) => readFileSync(path, 'utf8'));
      const page = pages.find((html) => html.includes(replaced)) ?? pages[0];
      if (page === undefined) throw new Error(`${paths.join(' and ')} do not exist. Run make build.`);
      return page;
    };
    return new ErrorPages(read('error.html', DIGEST_PLACEHOLDER), read('404.html', NOT_FOUND_TEXT), help);
  }

  /** Sets the not-found pages of the clients, before the first request. @param clients get a path without the base path. */
  useNotFoundOf(clients: (path: string) => ErrorPage | undefined): void {
    this.#clientNotFound = clients;
  }

  /** Returns the page of the client that has the path, or Errata's. @param path without the base path. */
  notFound(path: string): ErrorPage {
    const page = this.#clientNotFound(path);
    return page === undefined ? this.#notFound : this.#withHome(page);
  }

  #withHome(page: ErrorPage): ErrorPage {
    return withHelp(page, this.#help === null ? '' : homeHelp(this.#help));
  }

  /** Whether pages can have lines of an operator: plain pages show none. */
  get hasLines(): boolean {
    return this.#help !== null;
  }

  /** Returns the line of an operator for the pages of a fault, null for none; plain pages show none. @param key its digest key. */
  async lineOf(key: string): Promise<string | null> {
    return (await this.#help?.lines.lineOf(key)) ?? null;
  }

  /** Returns the page of a failure on the server. */
  serverError(failure: ShownFailure): ErrorPage {
    const html = this.#error.html.replaceAll(DIGEST_PLACEHOLDER, escapeHtml(failure.digest));
    const help = this.#help === null ? '' : failureHelp(this.#help, failure);
    return withHelp({ ...this.#error, html }, help);
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

/** A page of another team has the help where it has the placeholder. */
function withHelp(page: ErrorPage, help: string): ErrorPage {
  return { ...page, html: page.html.replaceAll(HELP_PLACEHOLDER, () => help) };
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
