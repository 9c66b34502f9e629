import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientSettings } from '../contract/browser-settings.ts';
import { type ScannedHtml, scanHtml } from './scan-html.ts';
import { withSettings } from './settings-element.ts';

const HTML = /\.html?$/;

interface ClientPage {
  readonly scanned: ScannedHtml;
  /** Text before the first child of `<head>`. */
  readonly start: string;
}

/**
 * The HTML files of another team's client, with the settings of this process, so that any code on the page finds DSN and
 * tunnel. A file that is not UTF-8 is none of them: its text is not known, and it is sent as it is.
 */
export class ClientPages {
  readonly #root: string;
  readonly #settings: ClientSettings;
  readonly #pages = new Map<string, ClientPage>();

  private constructor(root: string, settings: ClientSettings) {
    this.#root = root;
    this.#settings = settings;
  }

  static read(root: string, paths: readonly string[], settings: ClientSettings): ClientPages {
    const pages = new ClientPages(root, settings);
    for (const path of paths.filter((each) => HTML.test(each))) {
      const html = utf8Of(readFileSync(join(root, path)));
      if (html === undefined) continue;
      const scanned = scanHtml(html);
      pages.#pages.set(path, { scanned, start: html.slice(0, scanned.headStart) });
    }
    return pages;
  }

  get code(): readonly ScannedHtml[] {
    return [...this.#pages.values()].map(({ scanned }) => scanned);
  }

  codeOf(path: string): ScannedHtml | undefined {
    return this.#pages.get(path)?.scanned;
  }

  /** Returns the text of a page; undefined for another file, and for one that is lost. */
  async read(path: string): Promise<string | undefined> {
    const page = this.#pages.get(path);
    const bytes =
      page === undefined ? undefined : await readFile(join(this.#root, path)).catch(() => undefined);
    return page === undefined || bytes === undefined ? undefined : this.#filled(page, bytes);
  }

  /** Returns the text of a page at the start of the process. */
  readNow(path: string): string | undefined {
    const page = this.#pages.get(path);
    return page === undefined ? undefined : this.#filled(page, readFileSync(join(this.#root, path)));
  }

  /** A file that has changed since the start may have no `<head>` there: it is left as it is. */
  #filled({ start }: ClientPage, bytes: Buffer): string | undefined {
    const html = utf8Of(bytes);
    return html?.startsWith(start) === true ? withSettings(html, this.#settings, start.length) : html;
  }
}

function utf8Of(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
