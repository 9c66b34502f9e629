import { Routes } from './client-routes.ts';
import { decodeSegments } from './url-path.ts';

const PATHS = ['/', '/über-uns', '/hello world', '/%E2%82%AC/preise', '/orders/:id', '/a+b', '/100%'];
const routes = new Routes(
  PATHS.map((path) => ({ path })),
  false,
);

describe('Routes', () => {
  it.each([
    ['/', true],
    ['/%C3%BCber-uns', true],
    ['/%c3%bcber-uns/', true],
    ['/ber-uns', false],
    ['/hello%20world', true],
    ['/hello+world', false],
    ['/%e2%82%ac/preise', true],
    ['/%25E2%2582%25AC/preise', false],
    ['/orders/7', true],
    ['/orders/a%2Fb', true],
    ['/orders/', false],
    ['/orders%2F7', false],
    ['/orders/7/8', false],
    ['/orders/7//', false],
    ['/a%2bb', true],
    ['/aab', false],
    ['/100%25', true],
    ['//', false],
  ])('%s is a page: %s', (path, isPage) => {
    expect(routes.match(decodeSegments(path) ?? []) !== undefined).toBe(isPage);
  });

  it.each([
    ['/shop/:id?', ['/shop', '/shop/', '/shop/7'], ['/', '/shop/7/8', '/shops']],
    ['/:language?/help', ['/help', '/de/help'], ['/de', '/de/help/us', '/']],
    ['/team?/about', ['/about', '/team/about'], ['/teams/about', '/team']],
    [
      '/docs/*',
      ['/docs', '/docs/', '/docs/a', '/docs/a/b/'],
      ['/', '/doc', '/docs/a.js', '/docs/.git/a', '/docs//a'],
    ],
    [
      '/*',
      ['/', '/a', '/a/b', '/a%2Fb'],
      ['/app.js', '/a/logo.svg', '/.env', '/%2Egit/config', '/..%2fa.b', '//'],
    ],
  ])('%s matches as its marks say', (path, pages, others) => {
    const single = new Routes([{ path }], false);
    const isPage = (each: string) => single.match(decodeSegments(each) ?? []) !== undefined;

    expect([pages.filter((each) => !isPage(each)), others.filter(isPage)]).toEqual([[], []]);
  });

  it('preloads files below the root of the site, whether or not the path says so', () => {
    const single = new Routes([{ path: '/', preload: ['assets/a.js', '/assets/b.css'] }], false);

    expect(single.match([])?.link).toBe(
      '</assets/a.js>; rel=modulepreload, </assets/b.css>; rel=preload; as=style; crossorigin',
    );
  });
});
