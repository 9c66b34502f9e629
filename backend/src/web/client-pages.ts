import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScannedHtml, scanHtml } from './scan-html.ts';

const HTML = /\.html?$/;

/**
 * Scans the HTML files of a client, by path. A file that is not UTF-8 is left out: its text is not known, and it is sent as
 * it is.
 */
export function scanPages(root: string, paths: readonly string[]): ReadonlyMap<string, ScannedHtml> {
  const pages = new Map<string, ScannedHtml>();
  for (const path of paths.filter((each) => HTML.test(each))) {
    const bytes = readFileSync(join(root, path));
    if (isUtf8(bytes)) pages.set(path, scanHtml(bytes.toString('utf8')));
  }
  return pages;
}
