import { removeSharedRoot } from './shared-root.ts';
import { sourceName } from './source-name.ts';

/** Returns the files that a map with these sources names. */
const filesOf = (names: readonly string[]) => removeSharedRoot(names).map((name) => sourceName(name).file);

describe('removeSharedRoot', () => {
  it.each([
    ['a path', '/build/one/shop/', '/home/ci/7/shop/'],
    ['a drive', 'C:\\work\\shop\\', 'D:\\ci\\7\\'],
    ['a drive with slashes', 'C:/work/shop/', 'D:/ci/7/'],
    ['a share', '\\\\server\\builds\\', '\\\\other\\b\\7\\'],
    ['a URL of a file', 'file:///build/one/shop/', 'file:///C:/two/'],
    ['the URL of webpack with a package', 'webpack://shop//build/one/', 'webpack://shop/C:/two/'],
    ['the URL of webpack with four slashes', 'webpack:////build/one/', 'webpack:////two/'],
    ['the URL of webpack without a package', 'webpack:///build/one/', 'webpack:///home/ci/two/'],
  ])('gives the files of two builds one name: %s', (_, first, second) => {
    const sources = ['app/cart.ts', 'app/orders/list.vue?a1/b2', 'lib/money.ts'];

    const [one, two] = [first, second].map((root) => filesOf(sources.map((source) => root + source)));

    expect(one).toEqual(['app/cart.ts', 'app/orders/list.vue', 'lib/money.ts']);
    expect(two).toEqual(one);
  });

  it.each([
    [['/build/one/shop/app/cart.ts'], ['app/cart.ts']],
    [['C:\\work\\app\\cart.ts'], ['app/cart.ts']],
    [['C:\\cart.ts'], ['cart.ts']],
    [
      ['/build/shop/src/main.ts', '/build/shop/src/app/cart.ts'],
      ['src/main.ts', 'app/cart.ts'],
    ],
  ])('leaves the folder before a file right in the shared one: %j', (names, files) => {
    expect(filesOf(names)).toEqual(files);
  });

  it('reads no folder from the query of a source', () => {
    expect(removeSharedRoot(['/build/shop/cart.vue?vue&from=./a/b'])).toEqual([
      '/shop/cart.vue?vue&from=./a/b',
    ]);
  });

  it('does not let the folders of libraries decide', () => {
    const names = ['/build/shop/src/a.ts', '/build/shop/src/b/c.ts', '/root/.yarn/x.zip/node_modules/x/i.js'];

    expect(filesOf(names)).toEqual(['src/a.ts', 'b/c.ts', 'node_modules/x/i.js']);
  });

  it('does not take a part of a name for a folder', () => {
    const library = '/build/shop-libraries/node_modules/x/i.js';

    expect(filesOf(['/build/shop-a/x.ts', '/build/shop-b/x.ts'])).toEqual(['shop-a/x.ts', 'shop-b/x.ts']);
    expect(removeSharedRoot(['/build/shop/x.ts', library])).toEqual(['/shop/x.ts', library]);
  });

  it.each([
    [['../../src/app/a.ts', '../../src/app/b.ts']],
    [['webpack://shop/./src/app/a.ts', 'webpack://shop/./src/app/b.ts']],
    [['webpack:///./src/app/a.ts', 'webpack:///src/app/b.ts', 'webpack:///app/c.ts']],
    [['turbopack:///[project]/app/a.ts', 'turbopack:///[project]/app/b.ts']],
    [['/a.ts', '/b.ts', 'src/c.ts']],
    [['/one/a.ts', '/two/b.ts', '']],
  ])('leaves %j as they are', (names) => {
    expect(removeSharedRoot(names)).toEqual(names);
  });
});
