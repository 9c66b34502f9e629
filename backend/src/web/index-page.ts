import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import type { BrowserSettings } from '../contract/browser-settings.ts';
import { DEMO_LINKS } from '../contract/browser-settings.ts';
import { NOT_FOUND_HEADING, NOT_FOUND_TEXT } from '../contract/texts.ts';
import type { Coding } from './content-coding.ts';
import { withSettings } from './settings-element.ts';

/** A page in one content coding. */
export interface EncodedPage {
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * index.html with the settings of this process in its `<meta>`, rendered and compressed once at start, so that one image
 * serves every environment.
 */
export class IndexPage {
  readonly #pages: Readonly<Record<'identity' | Coding, EncodedPage>>;

  /** @param html a text, or bytes in another encoding than UTF-8. */
  constructor(html: string | Buffer) {
    const page = typeof html === 'string' ? Buffer.from(html) : html;
    this.#pages = {
      identity: encodedPage(page, 'identity'),
      br: encodedPage(zlib.brotliCompressSync(page), 'br'),
      zstd: encodedPage(zlib.zstdCompressSync(page), 'zstd'),
      gzip: encodedPage(zlib.gzipSync(page), 'gzip'),
    };
  }

  /** Reads the page of the built-in client. */
  static read(clientDir: string, settings: BrowserSettings): IndexPage {
    const page = withBasePath(readFileSync(join(clientDir, 'index.html'), 'utf8'), settings.basePath);
    const html = withSettings(page, settings, null);
    return new IndexPage(settings.demo ? html : html.replaceAll(DEMO_LINKS, ''));
  }

  in(coding: 'identity' | Coding): EncodedPage {
    return this.#pages[coding];
  }
}

/** Returns the page of the built-in client for a path that it does not know. Without a script it has the text, too. */
export function notFoundPage(index: IndexPage): string {
  const text = `<main><h1>${NOT_FOUND_HEADING}</h1><p>${NOT_FOUND_TEXT}</p></main>`;
  return index
    .in('identity')
    .body.toString()
    .replace(
      /<title>[^<]*/,
      `<meta name="robots" content="noindex" /><title>${NOT_FOUND_HEADING}: ${NOT_FOUND_TEXT}`,
    )
    .replace('<div id="root">', `<div id="root">${text}`);
}

/** Puts the base path in front of the page's links to this server. */
function withBasePath(html: string, basePath: string): string {
  return html.replaceAll(/(?<=\s(?:src|href)=")(?=\/[^/])/g, basePath);
}

/** Returns a page with the hash of its bytes, which tells the codings of one page apart. */
export function encodedPage(body: Buffer, coding: string): EncodedPage {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, etag: `"${hash}-${coding}"` };
}
