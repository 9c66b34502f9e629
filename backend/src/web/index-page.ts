import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { BrowserSettings } from '../contract/browser-settings.ts';
import { DEMO_LINKS, SETTINGS_PLACEHOLDER } from '../contract/browser-settings.ts';

/** index.html in one content coding. */
export interface EncodedPage {
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * index.html with the settings of this process in its `<meta>`, rendered and compressed once at start, so that one image
 * serves every environment.
 */
export class IndexPage {
  readonly #pages: Readonly<Record<'identity' | 'br' | 'gzip', EncodedPage>>;

  constructor(html: string, settings: BrowserSettings) {
    const page = Buffer.from(fill(html, settings));
    this.#pages = {
      identity: encoded(page, 'identity'),
      br: encoded(brotliCompressSync(page), 'br'),
      gzip: encoded(gzipSync(page), 'gzip'),
    };
  }

  static read(clientDir: string, settings: BrowserSettings): IndexPage {
    return new IndexPage(readFileSync(join(clientDir, 'index.html'), 'utf8'), settings);
  }

  in(coding: 'identity' | 'br' | 'gzip'): EncodedPage {
    return this.#pages[coding];
  }
}

function fill(html: string, settings: BrowserSettings): string {
  const attribute = JSON.stringify(settings)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;');
  const withSettings = html.replace(SETTINGS_PLACEHOLDER, () => attribute);
  return settings.demo ? withSettings : withSettings.replaceAll(DEMO_LINKS, '');
}

function encoded(body: Buffer, coding: string): EncodedPage {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, etag: `"${hash}-${coding}"` };
}
