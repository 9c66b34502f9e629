import { asksForPage } from './asks-for-page.ts';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('asksForPage', () => {
  it.each([
    ['/orders/1', '*/*', undefined, true],
    ['/orders/1', undefined, undefined, true],
    ['/orders/1', BROWSER, 'document', true],
    ['/orders/1', '*/*', 'iframe', true],
    ['/orders/1', '*/*', 'empty', true],
    ['/orders/1', '*/*', 'script', false],
    ['/orders/1', '*/*', 'style', false],
    ['/orders/1', BROWSER, 'image', false],
    ['/orders/1', 'application/json', undefined, false],
    ['/orders/1', 'application/json', 'empty', false],
    ['/orders/1', 'application/json, text/plain, */*', 'empty', false],
    ['/orders/1', 'image/*', undefined, false],
    ['/v1.2', '*/*', undefined, true],
    ['/v1.2', BROWSER, 'document', true],
    ['/v1.2', '*/*', 'script', false],
    ['/v1.2', 'application/json', undefined, false],
    ['/orders/john.doe', '*/*', undefined, true],
    ['/orders/1.js', '*/*', undefined, false],
    ['/orders/1.js', '*/*', 'empty', false],
    ['/orders/1.js', '*/*', 'script', false],
    ['/orders/1.js', BROWSER, undefined, true],
    ['/orders/1.js', BROWSER, 'document', true],
    ['/orders/1.JS', '*/*', undefined, false],
    ['/favicon.ico', 'image/avif,image/webp,*/*;q=0.8', 'image', false],
    ['/favicon.ico', '*/*', undefined, false],
    ['/robots.txt', '*/*', undefined, false],
    ['/robots.txt', 'text/plain', undefined, false],
    ['/sitemap.xml', '*/*', undefined, false],
    ['/app.js.map', '*/*', undefined, false],
    ['/font.woff2', '*/*', 'font', false],
    ['/site.webmanifest', '*/*', 'manifest', false],
  ])('%s with Accept: %s and Sec-Fetch-Dest: %s: %s', (path, accept, destination, expected) => {
    const headers = { accept, ...(destination !== undefined && { 'sec-fetch-dest': destination }) };

    expect(asksForPage(headers, path)).toBe(expected);
  });
});
