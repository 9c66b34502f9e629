import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientSettings } from '../contract/browser-settings.ts';
import { readClientFile, withCompressedOnly } from './compressed-only.ts';
import { type ScannedHtml, scanHtml } from './scan-html.ts';
import { withSettings } from './settings-element.ts';

const HTML = /\.html?$/;

interface ClientPage {
  readonly scanned: ScannedHtml;
  /** Text before the first child of `<head>`; null where the file is not UTF-8. */
  readonly start: string | null;
}

/** Declaration of an encoding, as browsers look for one in the first bytes of a file; it cannot be UTF-16 there. */
const CHARSET = /<meta[^>]*charset\s*=\s*["']?(?!utf-16)([\w-]+)/i;
/** Browsers look no further for it (HTML standard, "prescan a byte stream"). */
const MAX_DECLARATION_BYTES = 1_024;
/** Encoding of a file that declares none, in browsers of most languages. */
const DEFAULT_CHARSET = 'windows-1252';

/**
 * The HTML files of another team's client, with the settings of this process, so that any code on the page finds DSN and
 * tunnel. A file that is not UTF-8 is sent as it is; only its code is known.
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
    for (const path of withCompressedOnly(paths).filter((each) => HTML.test(each))) {
      const bytes = readClientFile(root, path);
      const html = utf8Of(bytes);
      const scanned = scanHtml(html ?? otherTextOf(bytes));
      pages.#pages.set(path, { scanned, start: html?.slice(0, scanned.headStart) ?? null });
    }
    return pages;
  }

  get code(): readonly ScannedHtml[] {
    return [...this.#pages.values()].map(({ scanned }) => scanned);
  }

  codeOf(path: string): ScannedHtml | undefined {
    return this.#pages.get(path)?.scanned;
  }

  /** Returns whether a file is a page in another encoding than UTF-8, which the page declares itself. */
  hasOwnEncoding(path: string): boolean {
    return this.#pages.get(path)?.start === null;
  }

  /** Returns the text of a page in UTF-8; undefined for another file, and for one that is lost. */
  async read(path: string): Promise<string | undefined> {
    const page = this.#pages.get(path);
    const bytes =
      page === undefined ? undefined : await readFile(join(this.#root, path)).catch(() => undefined);
    return page === undefined || bytes === undefined ? undefined : this.#filled(page, bytes);
  }

  /** Returns the text of a page in UTF-8 at the start of the process. */
  readNow(path: string): string | undefined {
    const page = this.#pages.get(path);
    return page === undefined ? undefined : this.#filled(page, readClientFile(this.#root, path));
  }

  /** A file that has changed since the start may have no `<head>` there: it is left as it is. */
  #filled({ start }: ClientPage, bytes: Buffer): string | undefined {
    const html = utf8Of(bytes);
    if (html === undefined || start === null || !html.startsWith(start)) return html;
    return withSettings(html, this.#settings, start.length);
  }
}

function utf8Of(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

function otherTextOf(bytes: Buffer): string {
  const charset = CHARSET.exec(bytes.toString('latin1', 0, MAX_DECLARATION_BYTES))?.[1];
  try {
    return new TextDecoder(charset ?? DEFAULT_CHARSET).decode(bytes);
  } catch {
    // A name that is no encoding.
    return new TextDecoder(DEFAULT_CHARSET).decode(bytes);
  }
}
