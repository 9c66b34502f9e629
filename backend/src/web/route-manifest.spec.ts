import { Routes } from './route-manifest.ts';
import { decodeSegments } from './url-path.ts';

const PATHS = ['/', '/über-uns', '/hello world', '/%E2%82%AC/preise', '/orders/:id', '/a+b', '/100%'];
const routes = new Routes(
  PATHS.map((path) => ({ path })),
  { demo: false, isItsPage: () => true },
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
});
