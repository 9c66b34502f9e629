import { namesContent, ownPath } from './file-path.ts';

describe('ownPath', () => {
  it.each([
    ['/srv/errata/backend/dist/orders/load.js', '/srv/errata/backend'],
    ['/srv/errata/backend/src/orders/load.ts', '/srv/errata/backend'],
    ['file:///srv/errata/backend/dist/orders/load.js', '/srv/errata/backend'],
    ['file:///srv/errata/backend/dist/orders/load.js?t=1735689600', 'file:///srv/errata/backend/'],
    ['/opt/other/dist/orders/load.mjs', '/opt/other'],
    ['file:///srv/b%203%20(x)/dist/orders/load.js', '/srv/b 3 (x)'],
    ['C:\\errata\\backend\\dist\\orders\\load.js', 'c:\\errata\\backend'],
    ['file:///C:/errata/backend/dist/orders/load.js', 'C:\\errata\\backend'],
    ['/usr/src/app/dist/orders/load.cjs', '/usr/src/app/'],
    ['/somewhere/else/dist/orders/load.js', '/srv/errata'],
    ['webpack://errata/./src/orders/load.tsx', ''],
    ['app:///dist/orders/load.js', '/srv/errata'],
    ['../../src/orders/load.ts', '/srv/errata'],
    ['https://shop.example/orders/load-ab12CD34.js', ''],
    ['https://shop.example/orders/load.3f9a0c1d.min.js?v=2', ''],
  ])('is orders/load for %s below %s', (file, root) => {
    expect(ownPath(file, root)).toBe('orders/load');
  });

  it.each([
    'node:internal/process/task_queues',
    '/srv/errata/node_modules/express/lib/router.js',
    'C:\\errata\\node_modules\\express\\index.js',
    'file:///srv/errata/node_modules/.pnpm/kysely@1/node_modules/kysely/dist/query.js',
    '<anonymous>',
    'native',
    'index 0',
    '[eval]',
    '[eval]-wrapper',
    'evalmachine.<anonymous>',
    'data:text/javascript,throw 1',
    'wasm://wasm/0badc0de',
    'chrome-extension://abcdef/content.js',
    '',
    '/srv/errata',
    `/${'a'.repeat(5000)}`,
  ])('is null for %s', (file) => {
    expect(ownPath(file, '/srv/errata')).toBeNull();
  });

  it('is the file name alone outside the root, so that no directory of the machine enters', () => {
    expect(ownPath('/home/ann/agent.js', '/srv/errata')).toBe('agent');
    expect(ownPath('/srv/errata2/agent.js', '/srv/errata')).toBe('agent');
  });

  it.each([
    ['index-ab12CD34', 'index'],
    ['index-Bx_9-kQz', 'index'],
    ['vendor.0123456789abcdef', 'vendor'],
    ['chunk-QWERTYUI', 'chunk'],
    ['chunk-7KQ4M2XD', 'chunk'],
    ['read-exception', 'read-exception'],
    ['error-handlers', 'error-handlers'],
    ['error.boundary', 'error.boundary'],
    ['all-exceptions.filter', 'all-exceptions.filter'],
    ['a-Boundary', 'a-Boundary'],
  ])('reads the file %s.js as %s: content hashes go, words stay', (name, bare) => {
    expect(ownPath(`/srv/errata/${name}.js`, '/srv/errata')).toBe(bare);
  });
});

describe('namesContent', () => {
  it.each([
    'assets/index-AbCd1234.js',
    'https://a.example/assets/index-DMbT3x_q.mjs?v=1',
    'main.0f3b2c7d9a.min.js',
    'app-3fk29dka.js',
  ])('knows the one in %s', (file) => {
    expect(namesContent(file)).toBe(true);
  });

  it.each(['app.js', 'assets/vendor-checkout.js', 'main.min.js', 'index-2.js', 'AbCd1234/app.js'])(
    'sees none in %s',
    (file) => {
      expect(namesContent(file)).toBe(false);
    },
  );
});
